import { inMail, keyHeaders, type PartnerWithKey, succeed } from '@casewatch/driver';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { createPersonBrowser, type PersonBrowser } from '../support/person-browser.ts';
import { invitationTo } from '../support/staff.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';
import { appCode, nextAppCode } from '../support/totp.ts';

const step = '/console/sign-in/second-factor';
const stepCookie = 'staff-sign-in-step';
let count = 0;

describe('the second step of a sign-in, in a browser', () => {
  let at: DevFile;
  let firm: PartnerWithKey;
  beforeAll(async () => {
    const system = await sharedSystem();
    at = system.dev();
    firm = await newPartner(system.dataDir, 'Strict <b>Law</b>');
    await demand('all');
  });

  const demand = (second_factor: string) =>
    succeed(at, 'PUT', { as: keyHeaders(firm), path: '/v1/client/profile', body: { second_factor } });

  async function accept(role = 'viewer') {
    const email = `factor${++count}.${Date.now().toString(36)}@firm.example`;
    const body = { email, name: 'A Member', role };
    await succeed(at, 'POST', { as: keyHeaders(firm), path: '/v1/client/staff', body });
    const browser = createPersonBrowser(at);
    const token = await invitationTo(at, email);
    const answer = await browser.post('/console/invitation', { token });
    return { email, browser, answer };
  }

  async function keyIn(browser: PersonBrowser): Promise<string> {
    const { text } = await browser.get(step);
    return (/<code class="key">([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', '');
  }

  /** A member who accepted, and set the second factor up. */
  async function join() {
    const { email, browser } = await accept();
    const key = await keyIn(browser);
    const shown = await browser.post(step, { code: appCode(key) });
    expect(shown.text).toContain('<code class="codes">');
    return { email, browser, key };
  }

  async function enterMailCode(email: string, nth = 0, browser = createPersonBrowser(at)) {
    expect((await browser.post('/console/sign-in', { email })).status).toBe(200);
    const code = await inMail(at, email, /\b(\d{6})\b/, { nth });
    const entered = await browser.post('/console/sign-in/code', { email, code });
    expect([entered.status, entered.location]).toEqual([303, step]);
    return { browser, code };
  }

  it('is bound to the browser, whose cookie is no session and ends with the sign-in', async () => {
    const { browser, answer } = await accept();
    expect([answer.status, answer.location]).toEqual([303, step]);
    const line = answer.headers.getSetCookie().find((one) => one.startsWith(`${stepCookie}=`)) ?? '';
    expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(Number(/Max-Age=(\d+)/.exec(line)?.[1])).toBeLessThanOrEqual(600);
    expect(browser.cookies.has('staff')).toBe(false);
    const page = await browser.get(step);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.text).toContain('Strict &lt;b&gt;Law&lt;/b&gt;');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const stranger = createPersonBrowser(at);
    for (const answered of [await stranger.get(step), await stranger.post(step, { code: '000000' })])
      expect([answered.status, answered.location]).toEqual([303, '/console/sign-in']);
    // The token of the step in the place of a session's, and the reverse.
    const token = browser.cookies.get(stepCookie) ?? '';
    for (const name of ['staff', 'console', 'person']) stranger.cookies.set(name, token);
    for (const path of ['/console', '/console/second-factor', '/console/sessions'])
      expect([path, (await stranger.get(path)).status]).toEqual([path, 401]);
    const key = await keyIn(browser);
    const done = await browser.post(step, { code: appCode(key) });
    expect([done.status, browser.cookies.has('staff'), browser.cookies.has(stepCookie)]).toEqual([
      200,
      true,
      false,
    ]);
    expect(done.headers.get('cache-control')).toBe('no-store');
    const swapped = createPersonBrowser(at);
    swapped.cookies.set(stepCookie, browser.cookies.get('staff') ?? '');
    expect((await swapped.post(step, { code: nextAppCode(key) })).status).toBe(401);
    expect(swapped.cookies.has('staff')).toBe(false);
    expect((await browser.get('/console/cases')).status).toBe(200);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['nowhere', {}],
  ])('refuses forms from %s', async (_where, from) => {
    const { browser, key } = await join();
    for (const path of [
      step,
      '/console/second-factor',
      '/console/second-factor/set-up',
      '/console/second-factor/off',
    ])
      expect([path, (await browser.post(path, { code: nextAppCode(key) }, from)).status]).toEqual([
        path,
        403,
      ]);
    expect((await browser.get('/console/cases')).status).toBe(200);
  });

  it('takes five codes; a sixth, also the right one, needs another code from an e-mail', async () => {
    const { email, key } = await join();
    const { browser } = await enterMailCode(email);
    const wrong = String((Number(nextAppCode(key)) + 1) % 1_000_000).padStart(6, '0');
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await browser.post(step, { code: wrong })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    const late = await browser.post(step, { code: nextAppCode(key) });
    expect([late.status, browser.cookies.has('staff')]).toEqual([429, false]);
    expect(late.text).not.toContain(wrong);
    await enterMailCode(email, 1, browser);
    expect((await browser.post(step, { code: nextAppCode(key) })).location).toBe('/console');
  });

  it('goes before everything that needs a recent sign-in', async () => {
    const { email, browser } = await join();
    const former = browser.cookies.get('staff');
    await enterMailCode(email, 0, browser);
    // The code of the e-mail alone does not make the session that there is a recent one.
    expect(browser.cookies.get('staff')).toBe(former);
    const sessions = await browser.get('/console/sessions');
    expect(sessions.text.split('This one')).toHaveLength(2);
  });
});
