import { createPartner, inMail, newReceipt, type Partner, setReceipt, titled } from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  codeFor,
  createPersonBrowser,
  type PersonBrowser,
  signInWithBrowser,
} from '../support/person-browser.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

const verificationLink = /(https?:\/\/\S+\/v1\/users\/verify-email\?token=[^\s>)]+)/;
const attack = `"'><img src=x onerror=alert(1)>`;

describe('pages for people', () => {
  let at: DevFile;
  let partner: Partner;
  let user: { id: number; email: string };
  let person: PersonBrowser;
  let casePath: string;

  beforeAll(async () => {
    const system = await sharedSystem();
    at = system.dev();
    partner = createPartner(at, at.partner);
    user = await partner.verifiedUser({ name: `Maria ${attack}`, preferred_language: 'es' });
    const receipt = newReceipt();
    await setReceipt(at, receipt, titled(`Status ${attack}`));
    const row = await partner.newCase(user.id, receipt, { description: `Case ${attack}` });
    casePath = `/cases/FLOW${String(row.id).padStart(7, '0')}`;
    person = (await signInWithBrowser(at, user.email)).browser;
  });

  it('answer a browser at /, and give a program the documents of the API', async () => {
    const page = await createPersonBrowser(at).get('/');
    expect([page.status, page.headers.get('vary')]).toEqual([200, expect.stringContaining('Accept')]);
    expect(page.text).toContain('action="/sign-in"');
    for (const accept of ['*/*', 'application/json']) {
      const answer = await fetch(at.gateway_url, { headers: { accept } });
      expect(await answer.text()).toContain('A first request');
    }
  });

  it('speak the language of the link, else of the browser, and after sign-in the language of the person', async () => {
    const browser = createPersonBrowser(at, { 'accept-language': 'pt-PT,pt;q=0.9,en;q=0.5' });
    expect((await browser.get('/')).text).toContain('<html lang="pt-BR">');
    expect((await browser.get('/?language=es')).text).toContain('<html lang="es">');
    expect((await browser.get('/')).text).toContain('<html lang="es">');
    expect((await browser.get('/?language=xx')).text).toContain('<html lang="es">');
    await signInWithBrowser(at, user.email, { browser });
    expect((await browser.get('/cases')).text).toContain('<html lang="es">');
    const changed = await browser.post('/settings/language', { language: 'en', to: casePath });
    expect(changed.location).toBe(casePath);
    expect((await browser.get('/cases')).text).toContain('<html lang="en">');
    await browser.post('/settings/language', { language: 'es', to: '/cases' });
  });

  it('answer the same for an address without an account', async () => {
    const known = await partner.verifiedUser();
    const answers = await Promise.all(
      [known.email, `nobody.${Date.now()}@example.com`].map(async (email) => {
        const browser = createPersonBrowser(at);
        const sent = await browser.post('/sign-in', { email });
        const code = await browser.get('/sign-in/code');
        return [sent.status, sent.location, code.text.replaceAll(email, '')];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  it('give a new session at sign-in and end the former one (fixation)', async () => {
    const { browser } = await signInWithBrowser(at, user.email);
    const former = createPersonBrowser(at);
    for (const [name, value] of browser.cookies) former.cookies.set(name, value);
    expect((await former.get('/cases')).status).toBe(200);
    await signInWithBrowser(at, user.email, { browser });
    expect(browser.cookies.get('person')).not.toBe(former.cookies.get('person'));
    expect((await browser.get('/cases')).status).toBe(200);
    await waitFor(async () => (await former.get('/cases')).status === 401, {
      timeoutMs: 4_000,
      what: 'the end of the former session',
    });
    const chosen = createPersonBrowser(at);
    chosen.cookies.set('person', 'chosen-by-an-attacker');
    await signInWithBrowser(at, user.email, { browser: chosen });
    expect(chosen.cookies.get('person')).not.toBe('chosen-by-an-attacker');
  });

  it('use a code up, and accept it only in the browser that asked for it', async () => {
    const { browser, code } = await signInWithBrowser(at, user.email);
    const stranger = createPersonBrowser(at);
    expect(await codeFor(at, user.email, stranger)).not.toBe(code);
    const refused = await stranger.post('/sign-in/code', { code });
    expect([refused.status, stranger.cookies.has('person')]).toEqual([401, false]);
    expect((await createPersonBrowser(at).post('/sign-in/code', { code })).location).toBe('/');
    expect((await browser.get('/sign-in/code')).location).toBe('/');
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['another origin, in a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }],
    ['an origin that is not named', {}],
  ])('refuse forms from %s, and change nothing', async (_where, from) => {
    const paths = ['/messages', `${casePath}/pause`, `${casePath}/remove`, '/data/delete', '/sign-out'];
    for (const path of [...paths, '/sign-in']) {
      const answer = await person.post(path, { emails: 'pause', confirm: 'on', email: user.email }, from);
      expect([path, answer.status]).toEqual([path, 403]);
    }
    const page = await person.get(casePath);
    expect([page.status, page.text.includes('value="pause"')]).toEqual([200, true]);
  });

  it('show what others typed as text, in every field (stored XSS)', async () => {
    const paths = ['/cases', casePath, '/settings', '/data', '/cases/new', `/settings?done=${attack}`];
    const pages = await Promise.all(paths.map((path) => person.get(path)));
    expect(pages.map(({ status }) => status)).toEqual(paths.map(() => 200));
    for (const { text } of pages) expect(text).not.toMatch(/<img/i);
    expect(pages[1]?.text).toContain('&lt;img src=x');
    const typed = { receipt_number: attack, description: attack, email: attack, phone: attack };
    const refused = await Promise.all([
      person.post('/cases/new', typed),
      person.post('/settings', { ...typed, preferred_language: 'es' }),
      person.post('/settings/address', typed),
      createPersonBrowser(at).post('/sign-in', typed),
    ]);
    for (const { status, text } of refused) expect([status, /<img/i.test(text)]).toEqual([400, false]);
  });

  it('go only to pages of ours', async () => {
    for (const to of ['https://evil.example', '//evil.example', '/cases/../../evil', '/v1/auth/logout']) {
      const answer = await person.post('/settings/language', { language: 'es', to });
      expect(answer.location).toBe('/cases');
    }
    const evil = await signInWithBrowser(at, user.email, { next: 'https://evil.example' });
    expect(evil.entered.location).toBe('/cases');
    const browser = createPersonBrowser(at);
    const asked = await browser.get(casePath);
    expect([asked.status, asked.text.includes(`name="next" value="${casePath}"`)]).toEqual([401, true]);
    const { entered } = await signInWithBrowser(at, user.email, { browser, next: casePath });
    expect(entered.location).toBe(casePath);
  });

  it('are not kept by the browser, not framed, and their cookies are closed to scripts', async () => {
    const { headers } = await person.get(casePath);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const { browser, entered } = await signInWithBrowser(at, user.email);
    const cookies = entered.headers.getSetCookie().filter((line) => line.startsWith('person'));
    expect(cookies).toHaveLength(2);
    for (const line of cookies) expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    const out = await browser.post('/sign-out', {});
    expect(out.headers.get('clear-site-data')).toBe('"cache"');
    expect([out.location, browser.cookies.has('person'), browser.cookies.has('person-refresh')]).toEqual([
      '/signed-out',
      false,
      false,
    ]);
  });

  it('end with sign-out within 2 s, also for a copy of the cookies', async () => {
    const { browser } = await signInWithBrowser(at, user.email);
    const copy = createPersonBrowser(at);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    await browser.post('/sign-out', {});
    await waitFor(async () => (await copy.get('/cases')).status === 401, {
      timeoutMs: 4_000,
      what: 'the end',
    });
    expect(copy.cookies.has('person-refresh')).toBe(false);
  });

  it.each([
    ['suspended', 403, 'This account is locked.'],
    ['deleted', 401, 'You were signed out'],
  ])('sign out whoever is %s, say so, and lead on', async (what, status, sentence) => {
    const { id, email } = await partner.verifiedUser();
    const { browser } = await signInWithBrowser(at, email);
    const path = `/v1/client/users/${id}`;
    if (what === 'suspended') await partner.call('PUT', path, { status: 'suspended' });
    else await partner.call('DELETE', path);
    const page = await waitFor(
      async () => {
        const answer = await browser.get('/cases');
        return answer.status !== 200 && answer;
      },
      { timeoutMs: 4_000, what: 'the end of the session' },
    );
    expect([page.status, [...browser.cookies.keys()]]).toEqual([status, []]);
    expect(page.text).toContain(sentence);
    expect(page.text).toContain('action="/sign-in"');
    expect((await browser.get('/')).status).toBe(200);
  });

  it('renew the session when its access token is gone, and say nothing of a status in title and address', async () => {
    const { browser } = await signInWithBrowser(at, user.email);
    browser.cookies.delete('person');
    const page = await browser.get(casePath);
    expect([page.status, browser.cookies.has('person')]).toEqual([200, true]);
    expect(page.text).toMatch(/<title>Su caso · [^<]*<\/title>/);
  });

  it('let a person with several accounts choose one, with the name of its partner', async () => {
    const first = await partner.newUser();
    const second = await createPartner(at, at.other_partner).newUser({ email: first.email });
    for (const nth of [0, 1]) {
      const link = await inMail(at, first.email, verificationLink, { nth });
      await fetch(link, { headers: { accept: 'application/json' } });
    }
    const browser = createPersonBrowser(at);
    const code = await codeFor(at, first.email, browser);
    const choice = await browser.post('/sign-in/code', { code });
    expect([choice.status, browser.cookies.has('person')]).toEqual([200, false]);
    const choices = [...choice.text.matchAll(/name="user_id" value="(\d+)"><b>([^<]+)<\/b>/g)];
    expect(choices.map(([, id]) => Number(id)).sort()).toEqual([first.id, second.id].sort());
    const name = choices.find(([, id]) => Number(id) === second.id)?.[2] ?? '';
    const entered = await browser.post('/sign-in/code', { code, user_id: String(second.id) });
    expect(entered.location).toBe('/cases');
    const page = await browser.get('/cases');
    expect(page.text).toContain(`<header><p class="name">${name}</p>`);
  });

  it('show no case of another person', async () => {
    const other = await partner.verifiedUser();
    const { browser } = await signInWithBrowser(at, other.email);
    expect((await browser.get(casePath)).status).toBe(404);
    expect((await browser.post(`${casePath}/remove`, {})).status).toBe(404);
  });
});
