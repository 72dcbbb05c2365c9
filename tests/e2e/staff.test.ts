import { readFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import {
  codePattern,
  createPartner,
  inMail,
  mailsTo,
  type PartnerKeys,
  type PartnerWithKey,
} from '@casewatch/driver';
import { connectDatabase, waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { createPersonBrowser, type PersonBrowser } from '../support/person-browser.ts';
import { acceptInvitation, invitationTo, pressAccept } from '../support/staff.ts';
import { type DevFile, type System, sharedSystem } from '../support/system.ts';

type Member = { id: number; status: string; role: string };
let count = 0;
const byId = (one: { id: number }, other: { id: number }) => one.id - other.id;

describe('an invitation', () => {
  let system: System;
  let at: DevFile;
  let firm: PartnerWithKey;
  beforeAll(async () => {
    system = await sharedSystem();
    at = system.dev();
    firm = await newPartner(system.dataDir, 'Firm <b>with</b> staff');
  });

  const call = (keys: PartnerKeys, method: string, path = '', body?: object) =>
    createPartner(at, keys).call<{ staff_member: Member }>(method, `/v1/client/staff${path}`, body);

  async function invite(role = 'viewer') {
    const email = `member${++count}.${Date.now().toString(36)}@firm.example`;
    const { body } = await call(firm, 'POST', '', { email, name: '"><img src=x>', role });
    return { email, id: body.staff_member.id };
  }
  const statusOf = async (id: number) => (await call(firm, 'GET', `/${id}`)).body.staff_member.status;

  it('arrives by mail; its page tells of whom it is, without markup of others, and changes nothing', async () => {
    const { email, id } = await invite('editor');
    const token = await invitationTo(at, email);
    const page = await fetch(`${at.gateway_url}/console/invitation?token=${token}`);
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(text).toContain('Firm &lt;b&gt;with&lt;/b&gt; staff');
    expect(text).not.toMatch(/<img|<b>with/);
    expect(text).toContain('an editor');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer, strict-origin');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const head = await fetch(page.url, { method: 'HEAD' });
    expect([head.status, await statusOf(id)]).toEqual([200, 'invited']);
    const mails = await mailsTo(at, email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).not.toContain('img');
    expect(mails[0]?.subject).toBe('Invitation to Casewatch');
  });

  it('is accepted by its button, once', async () => {
    const { email, id } = await invite();
    const token = await invitationTo(at, email);
    expect((await pressAccept(at, token)).status).toBe(303);
    expect(await statusOf(id)).toBe('active');
    for (const answer of [
      await pressAccept(at, token),
      await fetch(`${at.gateway_url}/console/invitation?token=${token}`),
    ])
      expect(answer.status).toBe(400);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['nowhere', {}],
  ])('is not accepted by a form from %s', async (_where, headers) => {
    const { email, id } = await invite();
    const body = new URLSearchParams({ token: await invitationTo(at, email) });
    const answer = await fetch(`${at.gateway_url}/console/invitation`, { method: 'POST', headers, body });
    expect([answer.status, await statusOf(id)]).toEqual([403, 'invited']);
    await acceptInvitation(at, email);
  });

  it.each([['x'], [''], ['a.b'], ['x'.repeat(300)], ['a.b&token=c.d'], ['\u0000']])(
    'that does not exist is a page with a sentence: %j',
    async (token) => {
      for (const answer of [
        await fetch(`${at.gateway_url}/console/invitation?token=${token}`),
        await fetch(`${at.gateway_url}/console/invitation`, {
          method: 'POST',
          headers: {
            origin: new URL(at.gateway_url).origin,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: `token=${token}`,
        }),
      ]) {
        expect(answer.status).toBe(400);
        expect(await answer.text()).toContain('ask your organization for a new one');
      }
    },
  );

  it('of a member who is removed in the moment of accepting is accepted before, or not at all', async () => {
    for (let round = 0; round < 5; round++) {
      const { email, id } = await invite();
      const token = await invitationTo(at, email);
      const [accepted, removed] = await Promise.all([pressAccept(at, token), call(firm, 'DELETE', `/${id}`)]);
      expect([303, 400]).toContain(accepted.status);
      expect([removed.status, (await call(firm, 'GET', `/${id}`)).status]).toEqual([200, 404]);
    }
  });
});

describe('the sign-in of a member of two firms', () => {
  const email = `both.${Date.now().toString(36)}@firm.example`;
  let at: DevFile;
  let firms: { id: number; name: string }[];
  let stranger: PartnerWithKey;
  beforeAll(async () => {
    const system = await sharedSystem();
    at = system.dev();
    firms = [];
    for (const [nth, name] of ['First <b>Law</b>', 'Second Law'].entries()) {
      const firm = await newPartner(system.dataDir, name);
      const body = { email, name: 'Bea Both', role: 'viewer' };
      expect((await createPartner(at, firm).call('POST', '/v1/client/staff', body)).status).toBe(201);
      await acceptInvitation(at, email, nth);
      firms.push({ id: firm.id, name });
    }
    stranger = await newPartner(system.dataDir, 'Third Law');
  });

  it('shows a page to choose the firm, which uses up no code and opens no session; then the session is of the chosen one', async () => {
    const browser = createPersonBrowser(at);
    await browser.post('/console/sign-in', { email });
    const code = await inMail(at, email, codePattern);
    const enter = (fields: object = {}) => browser.post('/console/sign-in/code', { email, code, ...fields });
    // Twice: as who loads the page again.
    for (const page of [await enter(), await enter()]) {
      expect([page.status, browser.cookies.has('staff')]).toEqual([200, false]);
      expect(page.text).toContain('<h1>Choose your organization</h1>');
      const choices = page.text.matchAll(
        /<button [^>]*name="partner_id" value="(\d+)"><b>(.*?)<\/b><\/button>/g,
      );
      expect([...choices].map(([, id, name]) => ({ id: Number(id), name })).toSorted(byId)).toEqual([
        { id: firms[0]?.id, name: 'First &lt;b&gt;Law&lt;/b&gt;' },
        { id: firms[1]?.id, name: 'Second Law' },
      ]);
      expect(page.text).toContain(`<input type="hidden" name="email" value="${email}">`);
      expect(page.text).toContain(`<input type="hidden" name="code" value="${code}">`);
    }
    const chosen = await enter({ partner_id: String(firms[1]?.id) });
    expect([chosen.status, chosen.location, browser.cookies.has('staff')]).toEqual([303, '/console', true]);
    const { text } = await browser.get('/console/settings');
    expect(text).toContain('Second Law');
    expect(text).not.toContain('First');
    const used = createPersonBrowser(at);
    for (const [name, value] of browser.cookies) if (name !== 'staff') used.cookies.set(name, value);
    const again = await used.post('/console/sign-in/code', { email, code, partner_id: String(firms[0]?.id) });
    expect([again.status, used.cookies.has('staff')]).toEqual([401, false]);
  });

  it('opens no session of a firm that is none of theirs', async () => {
    const browser = createPersonBrowser(at);
    await browser.post('/console/sign-in', { email });
    const code = await inMail(at, email, codePattern, { nth: 1 });
    for (const partner_id of [String(stranger.id), '0', 'x']) {
      const { status } = await browser.post('/console/sign-in/code', { email, code, partner_id });
      expect([partner_id, status >= 400 && status < 500, browser.cookies.has('staff')]).toEqual([
        partner_id,
        true,
        false,
      ]);
    }
  });
});

describe('the own data of a member', () => {
  let system: System;
  let at: DevFile;
  let firm: PartnerWithKey;
  let owner: SignedIn;
  let viewer: SignedIn;
  beforeAll(async () => {
    system = await sharedSystem();
    at = system.dev();
    firm = await newPartner(system.dataDir, 'Own Data Law');
    owner = await join('owner');
    viewer = await join('viewer');
  });

  type SignedIn = { id: number; email: string; browser: PersonBrowser };

  async function join(role: string): Promise<SignedIn> {
    const email = `${role}${++count}.${Date.now().toString(36)}@own.example`;
    const body = { email, name: `The ${role}`, role };
    const { staff_member } = (
      await createPartner(at, firm).call<{ staff_member: Member }>('POST', '/v1/client/staff', body)
    ).body;
    const browser = createPersonBrowser(at);
    await browser.post('/console/invitation', { token: await invitationTo(at, email) });
    return { id: staff_member.id, email, browser };
  }

  /** Where the button of a page leads. */
  async function exportOn(path: string, { browser }: SignedIn): Promise<string> {
    const { text } = await browser.get(path);
    return /href="([^"]+)"[^>]*>Export the data</.exec(text)?.[1] ?? `no button on ${path}`;
  }

  type Recorded = { records: { objects: object[]; status: number }[] };
  async function recordsBy({ id }: SignedIn, count: number): Promise<Recorded['records']> {
    const path = `/v1/client/audit?operation=export_staff_member&actor=staff:${id}`;
    const read = async () => {
      const { records } = (await createPartner(at, firm).call<Recorded>('GET', path)).body;
      return records.length >= count && records;
    };
    return await waitFor(read, { timeoutMs: 30_000, what: `${count} records of exports` });
  }

  it('is a file that each member gets from the own settings, an owner of every member, and nobody else', async () => {
    const own = await exportOn('/console/alerts', viewer);
    const file = await viewer.browser.get(own);
    expect([file.status, file.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename=casewatch-member.json',
    ]);
    const { staff_member } = JSON.parse(file.text);
    expect(staff_member).toMatchObject({ id: viewer.id, email: viewer.email, role: 'viewer' });
    expect(staff_member.sessions).toHaveLength(1);

    const ofOwner = await exportOn('/console/alerts', owner);
    const refused = await viewer.browser.get(ofOwner);
    expect([refused.status, refused.text.includes(owner.email)]).toEqual([403, false]);

    const ofViewer = await exportOn(`/console/staff/${viewer.id}`, owner);
    expect(JSON.parse((await owner.browser.get(ofViewer)).text).staff_member.email).toBe(viewer.email);

    const about = (id: number) => [{ kind: 'staff', id: String(id) }];
    expect(await recordsBy(viewer, 2)).toMatchObject([
      { status: 403, objects: about(owner.id) },
      { status: 200, objects: about(viewer.id) },
    ]);
    expect(await recordsBy(owner, 1)).toMatchObject([{ status: 200, objects: about(viewer.id) }]);
  });

  it('is none of another firm, and none for who is not signed in', async () => {
    const other = await newPartner(system.dataDir, 'Another Firm');
    const body = { email: `stranger.${Date.now()}@own.example`, name: 'A Stranger', role: 'viewer' };
    const { staff_member } = (
      await createPartner(at, other).call<{ staff_member: Member }>('POST', '/v1/client/staff', body)
    ).body;
    const path = (await exportOn('/console/alerts', owner)).replace(
      String(owner.id),
      String(staff_member.id),
    );
    expect((await owner.browser.get(path)).status).toBe(404);
    expect((await createPersonBrowser(at).get(path)).status).toBe(401);
  });

  it('needs a sign-in within 15 minutes, and the page leads to it', async () => {
    const path = await exportOn('/console/alerts', viewer);
    // Before the gateway asks for the session, which it then knows for a minute.
    const late = await join('viewer');
    const env = JSON.parse(readFileSync(joinPath(system.dataDir, 'dev-env.json'), 'utf8'));
    const database = await connectDatabase(env.identity.MONGODB_URL);
    const signed_in_at = new Date(Date.now() - 16 * 60_000);
    await database.collection('staff_sessions').updateMany({ staff_id: late.id }, { $set: { signed_in_at } });
    await database.close();
    const refused = await late.browser.get(path.replace(String(viewer.id), String(late.id)));
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('<a class="button primary" href="/console/sign-in">Sign in again</a>');
    expect(refused.text).not.toContain(late.email);
  });
});
