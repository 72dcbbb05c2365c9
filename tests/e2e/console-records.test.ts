import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OperationName, operations } from '@casewatch/contracts';
import {
  createPartner,
  inMail,
  keyHeaders,
  newReceipt,
  type Partner,
  type PartnerWithKey,
  received,
  setReceipt,
  succeed,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { consolePages } from '../../services/gateway/src/pages/console/pages.ts';
import { runAdmin as runMonitorAdmin } from '../../services/monitor/src/admin/run-admin.ts';
import { consoleLink, enterConsole } from '../support/console.ts';
import { newPartner } from '../support/operator.ts';
import { fillConsole } from '../support/page-data.ts';
import { createPersonBrowser, type PersonBrowser } from '../support/person-browser.ts';
import { recordedTransactions } from '../support/recorded-transactions.ts';
import { acceptWithSecondFactor, invitationTo } from '../support/staff.ts';
import { type DevFile, type System, sharedSystem } from '../support/system.ts';

type Values = Readonly<Record<string, string | number>>;
type Form = {
  /** As the page has it. */
  path: string;
  fields?: Record<string, string>;
  /** What it does, in this order; null: what it would end has ended before. */
  does: readonly OperationName[] | null;
  /** Of the path, where they differ from those of the test. */
  of?: Values;
};

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const alerts = {
  ...{ immediate: 'all', scope: 'all', digest: 'daily', digest_at: '09:30' },
  ...{ quiet: 'on', quiet_from: '21:00', quiet_to: '06:30' },
};

/** A member of the staff who sends every form that the console has (firm.md §2: for the API and pages alike). */
describe('the forms of the console', () => {
  let system: System;
  let at: DevFile;
  let firm: PartnerWithKey;
  let partner: Partner;
  let owner: { id: number; browser: PersonBrowser };
  let values: Values;
  let forms: Form[];
  beforeAll(async () => {
    system = await sharedSystem();
    at = system.dev();
    firm = await newPartner(system.dataDir, 'Recorded Law');
    partner = createPartner(at, firm);
    values = await fillConsole(at, firm);
    owner = await aMember('owner');
    forms = await everyForm();
  }, 480_000);

  async function invite(role: string): Promise<{ id: number; email: string }> {
    const email = `${role}.${newReceipt().toLowerCase()}@firm.example`;
    const body = { email, name: 'Vera Vance', role };
    const invited = { as: keyHeaders(firm), path: '/v1/client/staff', body };
    const { staff_member } = await succeed<{ staff_member: { id: number } }>(at, 'POST', invited);
    return { id: staff_member.id, email };
  }

  /** After a 503, which may have used the invitation up, another one. */
  async function aMember(role: string, triesLeft = 3): Promise<{ id: number; browser: PersonBrowser }> {
    const { id, email } = await invite(role);
    const browser = createPersonBrowser(at);
    const { status } = await browser.post('/console/invitation', { token: await invitationTo(at, email) });
    if (status === 503 && triesLeft > 1) return await aMember(role, triesLeft - 1);
    expect(status).toBe(303);
    return { id, browser };
  }

  async function receipt(): Promise<string> {
    const number = newReceipt();
    await setReceipt(at, number, received);
    return number;
  }

  async function everyForm(): Promise<Form[]> {
    const [of, staff, users, webhook] = [
      '/console/cases/:case_ref',
      '/console/staff/:staff_id',
      '/console/users/:user_id',
      '/console/webhooks/:webhook_id',
    ];
    const read = <T>(path: string) => succeed<T>(at, 'GET', { as: keyHeaders(firm), path });
    const { changes } = await read<{ changes: { id: number; case: { id: number } }[] }>('/v1/client/changes');
    const { user } = await read<{ user: { email: string } }>(`/v1/client/users/${values.user_id}`);
    const other = await partner.newUser();
    const wrong = await receipt();
    const mistyped = await partner.newCase(other.id, wrong);
    const key = await partner.newKey({ name: 'For the test', scopes: ['cases:read'] });
    const active = await aMember('viewer');
    const proven = await invite('editor');
    await acceptWithSecondFactor(at, proven.email);
    const { webhooks } = await read<{ webhooks: { id: number; url: string }[] }>('/v1/webhooks');
    const webhook_id = webhooks.find(({ url }) => url.endsWith('/hooks/pages'))?.id ?? 0;
    const delivery_id = await waitFor(
      async () => {
        type Listed = { deliveries: { id: string }[] };
        const path = `/v1/webhooks/${webhook_id}/deliveries?status=delivered`;
        return (await read<Listed>(path)).deliveries[0]?.id;
      },
      { timeoutMs: 90_000, what: 'a delivery that arrived' },
    );
    const person = { name: 'Nora New', phone: '', preferred_language: 'en', notify_by_email: 'on' };
    const aCase = async () => ({
      ...{ receipt_number: await receipt(), description: '', uscis_access_acknowledged: 'on' },
    });
    const endpoint = {
      ...{ url: `${at.receiver_url}/hooks/records`, description: 'New', events: 'webhook.*' },
      ...{ rate_limit: '20', headers: '' },
    };
    return [
      // Before its user is deleted, and the event with the user.
      {
        path: `${webhook}/deliveries/:delivery_id/redeliver`,
        does: ['redeliver'],
        of: { webhook_id, delivery_id },
      },
      {
        path: '/console/changes',
        fields: { done: `${changes[0]?.id}.${changes[0]?.case.id}` },
        does: ['review_changes'],
      },
      {
        path: '/console/cases/bulk',
        fields: { refs: String(values.case_ref), to: 'pause' },
        does: ['change_partner_cases'],
      },
      { path: `${of}/resume`, does: ['update_case'] },
      { path: `${of}/pause`, does: ['update_case'] },
      { path: `${of}/check`, does: ['check'] },
      {
        path: `${of}/edit`,
        fields: { assignee_id: 'none', reference: '2026-1', description: 'Edited' },
        does: ['update_partner_case'],
      },
      { path: `${of}/answer`, fields: { respond_by: day(20) }, does: ['update_partner_case'] },
      { path: `${of}/answer/done`, does: ['update_partner_case'] },
      { path: `${of}/answer/undone`, does: ['update_partner_case'] },
      { path: `${of}/answer/estimate`, does: ['update_partner_case'] },
      {
        path: `${of}/delete`,
        fields: { confirmation: wrong },
        does: ['delete_partner_case'],
        of: { case_ref: mistyped.id },
      },
      {
        path: '/console/users/new',
        fields: { ...person, email: `nora.${newReceipt().toLowerCase()}@example.com` },
        does: ['create_partner_user'],
      },
      { path: `${users}/edit`, fields: { ...person, email: user.email }, does: ['update_partner_user'] },
      { path: `${users}/deactivate`, does: ['update_partner_user'] },
      { path: `${users}/activate`, does: ['update_partner_user'] },
      { path: `${users}/cases/new`, fields: await aCase(), does: ['create_partner_case'] },
      {
        path: '/console/cases/new',
        fields: { ...(await aCase()), ...person, email: `nils.${newReceipt().toLowerCase()}@example.com` },
        does: ['create_partner_user', 'create_partner_case'],
      },
      {
        path: `${users}/resend-verification`,
        does: ['resend_partner_verification'],
        of: { user_id: other.id },
      },
      {
        path: `${users}/delete`,
        fields: { confirmation: other.email },
        does: ['delete_partner_user'],
        of: { user_id: other.id },
      },
      { path: '/console/webhooks/new', fields: endpoint, does: ['create_webhook'] },
      { path: `${webhook}/edit`, fields: endpoint, does: ['update_webhook'] },
      { path: `${webhook}/test`, does: ['test_webhook'] },
      { path: `${webhook}/rotate-secret`, fields: { overlap_hours: '1' }, does: ['rotate_webhook_secret'] },
      { path: `${webhook}/replay`, fields: { status: 'all', hours: '1' }, does: ['replay_events'] },
      { path: `${webhook}/replays/:task_id/cancel`, does: null },
      { path: `${webhook}/deactivate`, does: ['update_webhook'] },
      { path: `${webhook}/activate`, does: ['update_webhook'] },
      { path: `${webhook}/delete`, does: ['delete_webhook'] },
      // The firm has the two keys that it may have.
      { path: '/console/keys/new', fields: { name: 'New', scopes: 'cases:read' }, does: null },
      {
        path: '/console/keys/:key_id/rotate',
        fields: { overlap_hours: '0' },
        does: ['rotate_key'],
        of: { key_id: key.id },
      },
      { path: '/console/keys/:key_id/revoke', does: ['revoke_key'], of: { key_id: key.id } },
      {
        path: '/console/staff/new',
        fields: {
          ...{ name: 'Ines New', email: `ines.${newReceipt().toLowerCase()}@firm.example`, role: 'viewer' },
        },
        does: ['invite_staff_member'],
      },
      { path: `${staff}/invite`, does: ['invite_staff_member'] },
      {
        path: staff,
        fields: { name: 'Vera Vogt', role: 'editor', language: 'en' },
        does: ['update_staff_member'],
      },
      { path: `${staff}/alerts`, fields: { ...alerts, away_until: '' }, does: ['update_staff_member'] },
      { path: `${staff}/disable`, does: ['update_staff_member'], of: { staff_id: active.id } },
      { path: `${staff}/enable`, does: ['update_staff_member'], of: { staff_id: active.id } },
      { path: `${staff}/reset-second-factor`, does: ['reset_second_factor'], of: { staff_id: proven.id } },
      { path: `${staff}/remove`, fields: { reassign_to: '' }, does: ['remove_staff_member'] },
      { path: '/console/alerts', fields: { ...alerts, away_until: '' }, does: ['update_staff_member'] },
      {
        path: '/console/alerts/me',
        fields: { name: 'Olga Owner', language: 'en', time_zone: 'America/Chicago' },
        does: ['update_staff_member'],
      },
      {
        path: '/console/settings',
        fields: { logo_url: 'https://127.0.0.1/logo.png' },
        does: ['update_logo'],
      },
      {
        path: '/console/settings/profile',
        fields: {
          ...{ reply_to: '', support_contact: 'help@firm.example', case_url: '', time_zone: 'UTC' },
          calendar_addresses: 'on',
        },
        does: ['update_profile'],
      },
      { path: '/console/settings/alerts', fields: alerts, does: ['update_profile'] },
      { path: '/console/imports', does: ['create_import'] },
      { path: '/console/imports/:import_id/cancel', does: null },
      { path: '/console/imports/:import_id/send-verifications', does: ['send_import_verifications'] },
      // The last: the owner has none, and is out with it.
      {
        path: '/console/settings/second-factor',
        fields: { second_factor: 'owners' },
        does: ['update_profile'],
      },
    ];
  }

  const urlOf = ({ path, of }: Form) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => String({ ...values, ...of }[name] ?? `:${name}`));

  async function sendFile(path: string) {
    const head = 'receipt_number,email,name,uscis_access_acknowledged';
    const form = new FormData();
    form.set('text', `${head}\n${await receipt()},moved@example.com,Mo Moved,yes\n`);
    form.set('to', 'run');
    form.set('count', '1');
    return await owner.browser.upload(path, form);
  }

  it('are all in this test', () => {
    const posted = consolePages.filter(({ method }) => method === 'POST').map(({ path }) => path);
    expect(forms.map(({ path }) => path).toSorted()).toEqual(posted.toSorted());
  });

  it('are recorded for the member: an effect in its own transaction, neither without the other', async () => {
    const sent: OperationName[] = [];
    for (const form of forms) {
      const { path, fields = {}, does } = form;
      const url = urlOf(form);
      const press = () => (path === '/console/imports' ? sendFile(url) : owner.browser.post(url, fields));
      // A busy machine answers 503, and may have done it; the form is sent again then, and after the 409 of what is in progress.
      const answer = await waitFor(
        async () => {
          const tried = await press();
          return tried.status !== 503 && (tried.status !== 409 || does === null) && tried;
        },
        { timeoutMs: 60_000, what: url },
      );
      const isDone = answer.status === 303 || answer.status === 200;
      expect([url, answer.status, isDone || does === null]).toEqual([url, answer.status, true]);
      sent.push(...(does ?? []));
    }
    const actor = new RegExp(`"actor":{"kind":"staff","id":"${owner.id}"`);
    const found = (await recordedTransactions(system.dataDir, actor)).filter(
      ({ record }) => record.partner_id === firm.id && record.status !== 403,
    );
    const countOf = (list: readonly string[], name: string) => list.filter((one) => one === name).length;
    const effects = [...new Set(sent)].filter((name) => recordedAs(name) === 'effect');
    expect(effects.length).toBeGreaterThanOrEqual(25);
    const logged = found.filter(({ isAlone }) => !isAlone).map(({ record }) => record.operation);
    const missing = effects.filter((name) => countOf(logged, name) < countOf(sent, name));
    expect(missing).toEqual([]);
    const alone = found.filter(({ isAlone }) => isAlone).map(({ record }) => record.operation);
    expect(alone.filter((name) => recordedAs(name) === 'effect')).toEqual([]);
    // What only acts outside has a record as well, and each of them can be read by the firm.
    for (const name of new Set(sent)) {
      const path = `/v1/client/audit?operation=${name}&actor=staff:${owner.id}&limit=100`;
      const read = async () =>
        (await partner.call<{ records?: object[] }>('GET', path)).body.records?.length ?? 0;
      await waitFor(async () => (await read()) >= countOf(sent, name), {
        timeoutMs: 60_000,
        what: `${countOf(sent, name)} records of ${name}`,
      });
    }
  });

  function recordedAs(name: string): string | undefined {
    const row = Object.entries(operations).find(([each]) => each === name)?.[1];
    return row && 'recorded' in row ? row.recorded : undefined;
  }
});

/** Acts outside the interface, and the pages on which a firm reads them. */
describe('the activity of a firm', () => {
  let system: System;
  let at: DevFile;
  let firm: PartnerWithKey;
  beforeAll(async () => {
    system = await sharedSystem();
    at = system.dev();
    firm = await newPartner(system.dataDir, 'Read Law');
  });

  async function anOwner() {
    const email = `owner.${newReceipt().toLowerCase()}@firm.example`;
    const body = { email, name: 'Vera Vance', role: 'owner' };
    const invited = { as: keyHeaders(firm), path: '/v1/client/staff', body };
    const { staff_member } = await succeed<{ staff_member: { id: number } }>(at, 'POST', invited);
    return { id: staff_member.id, email };
  }

  type Acts = { records: { operation: string; actor: { kind: string; id: number; name: string } }[] };
  const acts = async (operation: string) => {
    const path = `/v1/client/audit?operation=${operation}&limit=100`;
    return (await succeed<Acts>(at, 'GET', { as: keyHeaders(firm), path })).records;
  };

  it('is announced by the invitation, in the mail and on its page: recorded for one year', async () => {
    const { email } = await anOwner();
    const sentence = /What members do in Casewatch is (recorded for one year)\./;
    expect(await inMail(at, email, sentence)).toBe('recorded for one year');
    const page = await createPersonBrowser(at).get(
      `/console/invitation?token=${await invitationTo(at, email)}`,
    );
    expect(page.text).toContain('What members do is recorded for one year.');
  });

  it('has who accepted an invitation, who signed out, and whose link opened the console', async () => {
    const { id, email } = await anOwner();
    const browser = createPersonBrowser(at);
    const accept = async () =>
      (await browser.post('/console/invitation', { token: await invitationTo(at, email) })).status === 303;
    await waitFor(accept, { timeoutMs: 30_000, what: 'the acceptance' });
    await enterConsole(at, await consoleLink(at, firm, { actor: 'Maria Lopes' }));
    const opened = await acts('open_console');
    expect(opened).toMatchObject([
      { actor: { kind: 'key', name: expect.stringMatching(/ \(Maria Lopes\)$/) } },
    ]);
    const shown = await browser.get('/console/activity');
    expect(shown.text).toContain('Accepted the invitation');
    expect(shown.text).toContain('Opened the console with a link');
    expect(shown.text).toContain('(Maria Lopes)');
    expect((await browser.post('/console/sign-out', {})).status).toBe(303);
    const byMember = { kind: 'staff', id, name: 'Vera Vance' };
    expect(await acts('accept_invitation')).toMatchObject([{ actor: byMember }]);
    expect(await acts('sign_out')).toMatchObject([{ actor: byMember }]);
  });

  it('has the command of an operator that gave the firm a limit of its own', async () => {
    const env = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8')).monitor;
    const said: string[] = [];
    const print = (line: string) => void said.push(line);
    const args = ['monitor', 'share', '--partner', String(firm.id), '--per-day', '10'];
    // A busy machine may refuse a connection.
    const give = async () => (await runMonitorAdmin(args, env, { out: print, err: print })) === 0;
    await waitFor(give, { timeoutMs: 30_000, what: 'the command' });
    expect(said.at(-1)).toBe(`Partner ${firm.id} can make 10 live checks per day.`);
    const told = async () => (await acts(encodeURIComponent('admin share'))).length > 0;
    await waitFor(told, { timeoutMs: 30_000, what: 'its record' });
    expect(await acts(encodeURIComponent('admin share'))).toMatchObject([{ actor: { kind: 'operator' } }]);
  });

  it('is one click away from a user: who created it, and no record of another user', async () => {
    const partner = createPartner(at, firm);
    const [user, other] = [await partner.newUser(), await partner.newUser()];
    const link = await consoleLink(at, firm);
    const page = await enterConsole(at, link);
    const { text } = await page.get(`/console/users/${user.id}`);
    const [, href = ''] = /href="([^"]+)">Activity of this user</.exec(text) ?? [];
    const shown = await waitFor(
      async () => {
        const activity = await page.get(href.replaceAll('&amp;', '&'));
        return activity.text.includes(operations.create_partner_user.summary) && activity.text;
      },
      { timeoutMs: 30_000, what: 'the record on the page' },
    );
    expect(shown).toContain(`<a href="/console/users/${user.id}">user ${user.id}</a>`);
    expect(shown).not.toContain(`/console/users/${other.id}"`);
  });
});
