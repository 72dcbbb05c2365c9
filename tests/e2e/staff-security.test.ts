import { createPartner, inMail, keyHeaders, type PartnerWithKey, signIn, succeed } from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { consoleLink, enterConsole } from '../support/console.ts';
import { newPartner } from '../support/operator.ts';
import { createPersonBrowser, type PersonBrowser } from '../support/person-browser.ts';
import { invitationTo } from '../support/staff.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

const attack = `"'><img src=x onerror=alert(1)>`;
const codePattern = /\b(\d{6})\b/;
let count = 0;

describe('the console of a member', () => {
  let at: DevFile;
  let firm: PartnerWithKey;
  beforeAll(async () => {
    const system = await sharedSystem();
    at = system.dev();
    firm = await newPartner(system.dataDir, `Firm ${attack}`);
  });

  const byFirm = (method: string, path: string, body?: object) =>
    succeed<{ staff_member: { id: number } }>(at, method, { as: keyHeaders(firm), path, body });

  /** A member who accepted in this browser, and is signed in. */
  async function join(role: string) {
    const email = `staff${++count}.${Date.now().toString(36)}@firm.example`;
    const { staff_member } = await byFirm('POST', '/v1/client/staff', {
      email,
      name: `Maria ${attack}`,
      role,
    });
    const browser = createPersonBrowser(at);
    const token = await invitationTo(at, email);
    const entered = await browser.post('/console/invitation', { token });
    expect([entered.status, entered.location]).toEqual([303, '/console']);
    return { id: staff_member.id, email, browser, entered };
  }

  /** Asks for a code in this browser; `nth` counts the codes of this address. */
  async function codeIn(browser: PersonBrowser, email: string, nth: number) {
    expect((await browser.post('/console/sign-in', { email })).status).toBe(200);
    return await inMail(at, email, codePattern, { nth });
  }

  async function enter(email: string, nth = 0, browser = createPersonBrowser(at)) {
    const code = await codeIn(browser, email, nth);
    const entered = await browser.post('/console/sign-in/code', { email, code });
    return { browser, code, entered };
  }

  const endsSoon = (browser: PersonBrowser, what: string) =>
    waitFor(async () => (await browser.get('/console/cases')).status === 401, { timeoutMs: 30_000, what });

  it('opens with the invitation, shows what the role permits, and refuses the rest with a sentence', async () => {
    const { browser, entered } = await join('viewer');
    expect(entered.headers.getSetCookie().find((line) => line.startsWith('staff='))).toMatch(
      /; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const overview = await browser.get('/console');
    expect(overview.status).toBe(200);
    expect(overview.text).toContain('href="/console/cases"');
    for (const hidden of ['/console/keys', '/console/webhooks', '/console/events'])
      expect(overview.text).not.toContain(`href="${hidden}"`);
    expect(overview.text).not.toMatch(/<img src=x/);
    expect(overview.text).toContain('viewer');
    for (const path of ['/console/keys', '/console/webhooks', '/console/users/new']) {
      const { status, text } = await browser.get(path);
      expect([path, status, text.includes('<h1>Not possible</h1>')]).toEqual([path, 403, true]);
    }
    for (const path of ['/console/settings', '/console/users/new'])
      expect([path, (await browser.post(path, { name: 'x', logo_url: '' })).status]).toEqual([path, 403]);
  });

  it('signs in with a code, that is used up, in the browser that asked for it', async () => {
    const { email } = await join('editor');
    const { entered, code, browser } = await enter(email);
    expect([entered.status, entered.location]).toEqual([303, '/console']);
    expect((await browser.get('/console/users')).status).toBe(200);
    const again = await browser.post('/console/sign-in/code', { email, code });
    expect([again.status, (await browser.get('/console')).status]).toEqual([401, 200]);
    const stranger = createPersonBrowser(at);
    const own = await codeIn(stranger, email, 1);
    const other = createPersonBrowser(at);
    await codeIn(other, email, 2);
    const refused = await other.post('/console/sign-in/code', { email, code: own });
    expect([refused.status, other.cookies.has('staff')]).toEqual([401, false]);
    expect(refused.text).toContain('not valid');
  });

  it('answers the same for an address that nobody has, and for one of a person', async () => {
    const { email } = await join('viewer');
    const person = await createPartner(at, firm).verifiedUser();
    const pages = await Promise.all(
      [email, `nobody${++count}@example.com`, person.email].map(async (address) => {
        const { status, text, headers } = await createPersonBrowser(at).post('/console/sign-in', {
          email: address,
        });
        const names = headers.getSetCookie().map((line) => line.split('=')[0]);
        return [status, text.replaceAll(address, ''), names];
      }),
    );
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[2]).toEqual(pages[0]);
  });

  it('is a new session at each sign-in, and the former one ends (fixation)', async () => {
    const { email, browser } = await join('viewer');
    const former = createPersonBrowser(at);
    for (const [name, value] of browser.cookies) former.cookies.set(name, value);
    await enter(email, 0, browser);
    expect(browser.cookies.get('staff')).not.toBe(former.cookies.get('staff'));
    expect((await browser.get('/console/cases')).status).toBe(200);
    await endsSoon(former, 'the end of the former session');
    const chosen = createPersonBrowser(at);
    chosen.cookies.set('staff', 'chosen.1.by-an-attacker');
    await enter(email, 1, chosen);
    expect(chosen.cookies.get('staff')).not.toContain('chosen');
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['another origin, in a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }],
    ['an origin that is not named', {}],
  ])('refuses forms from %s', async (_where, from) => {
    const { email, browser } = await join('owner');
    for (const path of [
      '/console/sign-in',
      '/console/sign-in/code',
      '/console/invitation',
      '/console/sign-out',
      '/console/settings',
    ]) {
      const answer = await browser.post(path, { email, code: '000000', token: 'a.b', logo_url: '' }, from);
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect((await browser.get('/console')).status).toBe(200);
  });

  it('shows what others typed as text, is not framed, not kept, and goes only to pages of ours', async () => {
    const typed = { email: attack, code: attack, partner_id: attack };
    const refused = await Promise.all([
      createPersonBrowser(at).post('/console/sign-in', typed),
      createPersonBrowser(at).post('/console/sign-in/code', typed),
      createPersonBrowser(at).post('/console/sign-in/code', { ...typed, email: 'a@example.com' }),
    ]);
    for (const { status, text, headers } of refused) {
      expect([[400, 401].includes(status), /<img/i.test(text)]).toEqual([true, false]);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
    }
    const { email } = await join('viewer');
    const browser = createPersonBrowser(at);
    const code = await codeIn(browser, email, 0);
    const entered = await browser.post('/console/sign-in/code?next=https://evil.example', {
      email,
      code,
      next: '//evil.example',
    });
    expect(entered.location).toBe('/console');
  });

  it('ends with sign-out, with the role, with the removal', async () => {
    const leaving = await join('viewer');
    const copy = createPersonBrowser(at);
    for (const [name, value] of leaving.browser.cookies) copy.cookies.set(name, value);
    const out = await leaving.browser.post('/console/sign-out', {});
    expect([out.status, out.headers.get('clear-site-data'), leaving.browser.cookies.has('staff')]).toEqual([
      303,
      '"cache"',
      false,
    ]);
    await endsSoon(copy, 'the end of a copy');

    const everywhere = await join('viewer');
    const second = await enter(everywhere.email);
    await second.browser.post('/console/sign-out', { all: 'on' });
    await endsSoon(everywhere.browser, 'the end of the other browser');

    const lowered = await join('editor');
    expect((await lowered.browser.get('/console/users/new')).status).toBe(200);
    await byFirm('PUT', `/v1/client/staff/${lowered.id}`, { role: 'viewer' });
    await waitFor(async () => (await lowered.browser.get('/console/users/new')).status === 403, {
      timeoutMs: 30_000,
      what: 'the lower role',
    });
    expect((await lowered.browser.get('/console/users')).status).toBe(200);
    await byFirm('DELETE', `/v1/client/staff/${lowered.id}`);
    await endsSoon(lowered.browser, 'the end with the removal');
  });

  it('is no credential of the API, and tokens of one kind are refused in the place of the other', async () => {
    const { browser, email } = await join('owner');
    const token = browser.cookies.get('staff') ?? '';
    for (const path of ['/v1/client/cases', '/v1/client/staff', '/v1/users', '/v1/webhooks']) {
      for (const headers of [
        { cookie: `staff=${token}` },
        { authorization: `Bearer ${token}` },
        { 'x-api-key': token, 'x-api-secret': token },
      ] as Record<string, string>[])
        expect([path, (await fetch(at.gateway_url + path, { headers })).status]).toEqual([path, 401]);
    }
    const linked = await enterConsole(at, await consoleLink(at, firm));
    const person = await createPartner(at, firm).verifiedUser();
    const { access_token, refresh_token } = await signIn(at, person.email);
    const linkToken = linked.cookie.split('=')[1] ?? '';
    for (const foreign of [linkToken, access_token, refresh_token]) {
      const other = createPersonBrowser(at);
      other.cookies.set('staff', foreign);
      expect((await other.get('/console')).status).toBe(401);
    }
    for (const [cookie, path] of [
      ['console', '/console'],
      ['person', '/cases'],
      ['person-refresh', '/cases'],
    ] as const) {
      const other = createPersonBrowser(at);
      other.cookies.set(cookie, token);
      expect([cookie, (await other.get(path)).status]).toEqual([cookie, 401]);
    }
    expect(email).toBeTruthy();
    expect((await browser.get('/console/keys')).status).toBe(200);
  });
});
