import {
  createPartner,
  keyHeaders,
  newReceipt,
  type Partner,
  type PartnerWithKey,
  received,
  setReceipt,
  succeed,
  titled,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { createPersonBrowser, type PersonBrowser } from '../support/person-browser.ts';
import { invitationTo } from '../support/staff.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

describe('Activity', () => {
  let at: DevFile;
  let firm: PartnerWithKey;
  let partner: Partner;
  let owner: { id: number; browser: PersonBrowser };
  let user: { id: number };
  const cases: { id: number; receipt: string }[] = [];

  beforeAll(async () => {
    const system = await sharedSystem();
    at = system.dev();
    firm = await newPartner(system.dataDir, 'Busy Law');
    partner = createPartner(at, firm);
    owner = await join('owner');
    user = await partner.verifiedUser({ name: 'Ana Silva' });
    for (let n = 0; n < 2; n += 1) {
      const receipt = newReceipt();
      await setReceipt(at, receipt, received);
      cases.push({ id: (await partner.newCase(user.id, receipt)).id, receipt });
    }
  });

  async function join(role: string): Promise<{ id: number; browser: PersonBrowser }> {
    const email = `${role}.${newReceipt().toLowerCase()}@busy.example`;
    const { staff_member } = await succeed<{ staff_member: { id: number } }>(at, 'POST', {
      as: keyHeaders(firm),
      path: '/v1/client/staff',
      body: { email, name: 'Olivia Owens', role },
    });
    const browser = createPersonBrowser(at);
    await browser.post('/console/invitation', { token: await invitationTo(at, email) });
    return { id: staff_member.id, browser };
  }

  type Entry = { at: string; objects: { kind: string; id: string }[] };

  async function recordsOf(operation: string, actor = `staff:${owner.id}`): Promise<Entry[]> {
    const path = `/v1/client/audit?operation=${operation}&actor=${actor}&limit=100`;
    return (await partner.call<{ records: Entry[] }>('GET', path)).body.records;
  }

  async function untilRecorded(count: number, operation: string, actor?: string): Promise<Entry[]> {
    const read = async () => {
      const records = await recordsOf(operation, actor);
      return records.length >= count && records;
    };
    return await waitFor(read, { timeoutMs: 30_000, what: `${count} records of ${operation}` });
  }

  /** Asks for a page as the script of an open page does. @returns the answers that showed it anew */
  async function poll(path: string, times: number): Promise<string[]> {
    const shown: string[] = [];
    let digests: string | undefined;
    for (let turn = 0; turn < times; turn += 1) {
      const look = digests === undefined ? {} : { 'second-look': `${turn} ${digests}` };
      const { status, text } = await owner.browser.get(path, look);
      expect([200, 204]).toContain(status);
      if (status === 200) shown.push(text);
      digests = /<main[^>]* data-live="([^"]*)"/.exec(text)?.[1] ?? digests;
    }
    return shown;
  }

  it('has one record of a page that is open, however often it asks for news', async () => {
    const [one, other] = cases;
    await poll(`/console/cases/${one?.id}`, 10);
    await owner.browser.get(`/console/cases/${one?.id}`);
    await poll(`/console/cases/${other?.id}`, 10);
    await poll('/console/cases', 10);
    // What is stored after all that waits.
    await owner.browser.get('/console/users');
    await untilRecorded(1, 'list_partner_users');
    await untilRecorded(1, 'list_partner_cases');
    const records = await untilRecorded(2, 'get_partner_case');
    const shown = records.map(({ objects }) => objects.find(({ kind }) => kind === 'case')?.id);
    expect(shown).toEqual([other?.id, one?.id].map(String));
    expect(await recordsOf('list_partner_cases')).toHaveLength(1);
  });

  it('has a record of what an open page shows anew', async () => {
    const before = (await recordsOf('list_changes')).length;
    await poll('/console', 1);
    await untilRecorded(before + 1, 'list_changes');
    await setReceipt(at, cases[0]?.receipt ?? '', titled('Case Was Denied'));
    await waitFor(async () => (await poll('/console', 1))[0]?.includes('Case Was Denied'), {
      timeoutMs: 60_000,
      what: 'the change on the page',
    });
    await untilRecorded(before + 2, 'list_changes');
  });

  it('has a record of the first request for a page, whatever its headers claim', async () => {
    const { id, browser } = await join('editor');
    const look = { 'second-look': `0 ${'A'.repeat(16)},${'A'.repeat(16)}` };
    await browser.get(`/console/cases/${cases[0]?.id}`, look);
    await untilRecorded(1, 'get_partner_case', `staff:${id}`);
  });

  it('has each read of an API key', async () => {
    const read = () =>
      fetch(`${at.gateway_url}/v1/client/cases`, {
        headers: { ...keyHeaders(firm), 'second-look': `0 ${'A'.repeat(16)}` },
      });
    const actor = `key:${firm.key_id}`;
    const before = (await recordsOf('list_partner_cases', actor)).length;
    for (let n = 0; n < 3; n += 1) expect((await read()).status).toBe(200);
    expect(await untilRecorded(before + 3, 'list_partner_cases', actor)).toHaveLength(before + 3);
  });

  it('filters by the day of the member, in whose zone it shows the times', async () => {
    const { id, browser } = await join('owner');
    const now = new Date();
    // It is another day there.
    const zone = now.getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
    const utc = now.toISOString().slice(0, 10);
    const there = now.toLocaleDateString('sv', { timeZone: zone });
    browser.cookies.set('zone', zone);
    await untilRecorded(1, 'accept_invitation', `staff:${id}`);
    const shown = async (day: string) =>
      (await browser.get(`/console/activity?actor=staff:${id}&day=${day}`)).text.includes(
        'Accepted the invitation',
      );
    expect(there).not.toBe(utc);
    expect([await shown(there), await shown(utc)]).toEqual([true, false]);
  });
});
