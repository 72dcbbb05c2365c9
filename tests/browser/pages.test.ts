import { htmlLanguage, type Language, language, routesInOrder } from '@casewatch/contracts';
import { type Browser, launchChromium, type Page } from '@casewatch/dev/browser';
import { codePattern, createPartner, inMail, keyHeaders, succeed } from '@casewatch/driver';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { guidePages } from '../../services/gateway/src/docs/guide.ts';
import { consolePages } from '../../services/gateway/src/pages/console/pages.ts';
import { peoplePages } from '../../services/gateway/src/pages/people/pages.ts';
import { browserRoutes } from '../../services/gateway/test/support/browser-routes.ts';
import { checkPage, type Visit } from '../support/check-page.ts';
import { consoleLink } from '../support/console.ts';
import { newPartner } from '../support/operator.ts';
import { changedCase, fillConsole, visitsOf } from '../support/page-data.ts';
import { codesSent } from '../support/person-browser.ts';
import { invitationTo } from '../support/staff.ts';
import { type DevFile, type System, sharedSystem } from '../support/system.ts';

/** A file that the browser saves is no page. */
const download = /\/(download|calendar)$/;
const verifyLink = /(https?:\/\/\S+\/v1\/users\/verify-email\?token=[^\s>)]+)/;
const welcomeLink = /(https?:\/\/\S+\/welcome\?token=[^\s>)]+)/;
const asProgram = { headers: { accept: 'application/json' } };

/** Files, and addresses that only lead elsewhere. */
const noPages: readonly string[] = [
  ...['/data/download', '/cases/:case_ref/calendar', '/v1/calendar/:file', '/logos/:name'],
  ...['/openapi.json', '/openapi.yaml', '/asyncapi.json'],
  ...['/console/cases.csv', '/console/changes.csv', '/console/users.csv'],
  ...['/console/imports/:import_id/refused.csv', '/console/staff/:staff_id/download'],
  ...['/sign-in', '/sign-out', '/data/delete', '/console/sign-in/code'],
];
/** The second factor has steps: second-factor.test.ts. A mail is no page of ours: mails.test.ts. */
const ofOtherTests: readonly string[] = ['/console/sign-in/second-factor', '/console/mails/:name'];

describe('every page', () => {
  let system: System;
  let at: DevFile;
  let browser: Browser | undefined;
  /** Paths that were looked at. */
  const visited = new Set<string>();

  beforeAll(async () => {
    system = await sharedSystem();
    at = system.dev();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function open(locale: string): Promise<Page> {
    if (!browser) throw new Error('no browser');
    const context = await browser.newContext({ baseURL: at.gateway_url, locale });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    return page;
  }

  async function check(page: Page, visits: readonly Visit[]): Promise<string[]> {
    const found: string[] = [];
    for (const visit of visits) {
      if (download.test(visit.path)) continue;
      if (!visit.form) visited.add(new URL(visit.path, at.gateway_url).pathname);
      found.push(...(await checkPage(page, visit)));
    }
    return found;
  }

  const paths = (...list: readonly string[]): Visit[] => list.map((path) => ({ path }));

  async function checkConsole(): Promise<string[]> {
    const keys = await newPartner(system.dataDir, 'Every Page Law');
    const page = await open('en-US');
    const link = await consoleLink(at, keys, { actor: 'Maria Lopes' });
    const entry = await check(page, paths('/console', '/console/enter', link));
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.waitForURL('**/console');
    const values = {
      user_id: 0,
      case_ref: 'FLOW0000000',
      webhook_id: 0,
      delivery_id: 'none',
      task_id: 0,
      staff_id: 0,
      import_id: 0,
    };
    const isList = ({ path, form }: Visit) => !form && !/0$|none|0\//.test(path);
    const empty = await check(page, visitsOf(consolePages, values).filter(isList));
    const visits = visitsOf(consolePages, await fillConsole(at, keys));
    const endpoint = visits.find(({ path }) => /webhooks\/\d+$/.test(path))?.path;
    const secrets: Visit[] = [
      { path: '/console/keys/new', form: { name: 'A second key', scopes: 'cases:read' } },
      {
        path: '/console/webhooks/new',
        form: { url: `${at.receiver_url}/hooks/new`, description: '', events: '*' },
      },
      { path: `${endpoint}/test`, form: {} },
    ];
    const full = await check(page, [
      ...visits,
      ...secrets,
      ...paths('/console/_parts', '/console/none', '/console/signed-out'),
    ]);
    return [...entry, ...empty, ...full];
  }

  /** What only a member of the staff sees, who signs in. */
  async function checkStaff(): Promise<string[]> {
    const keys = await newPartner(system.dataDir, 'Every Page of Staff');
    const email = `staff.${Date.now()}@pages.example`;
    const body = { email, name: 'Olivia Owens', role: 'owner' };
    await succeed(at, 'POST', { as: keyHeaders(keys), path: '/v1/client/staff', body });
    const page = await open('en-US');
    const invitation = `/console/invitation?token=${await invitationTo(at, email)}`;
    const entry = await check(page, [
      ...paths('/console/sign-in', '/console/reply-to?token=none', '/console/invitation?token=none'),
      { path: '/console/sign-in', form: { email: 'none' } },
      { path: '/console/sign-in', form: { email } },
      { path: '/console/sign-in/code', form: { email, code: 'none' } },
      ...paths(invitation),
    ]);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.waitForURL('**/console');
    const own = ['/console/sessions', '/console/second-factor', '/console/mails', '/console/alerts'];
    return [...entry, ...(await check(page, paths(...own)))];
  }

  async function checkPeople(name: Language): Promise<string[]> {
    const [partner, other] = [createPartner(at, at.partner), createPartner(at, at.other_partner)];
    const person = { name: 'María Silva', preferred_language: name };
    const { id, email } = await partner.newUser(person);
    await other.newUser({ ...person, email });
    for (const nth of [0, 1]) await fetch(await inMail(at, email, verifyLink, { nth }), asProgram);
    const case_ref = await changedCase(at, partner, id);
    const page = await open(htmlLanguage[name]);
    const links = routesInOrder().filter(({ method, page }) => method === 'GET' && page === true);
    const entry = await check(page, [
      ...paths('/', '/signed-out', '/cases', '/casos', '/welcome?token=none'),
      // Of links in mails: what a link without a valid token shows. mails.test.ts has the others.
      ...paths(...links.map(({ path }) => `${path}?token=none`)),
      { path: '/sign-in', form: { email: 'none' } },
    ]);
    const fresh = `fresh.${name}.${Date.now()}@pages.example`;
    await check(page, [{ path: '/sign-in', form: { email: fresh } }]);
    const { pathname, search } = new URL(await inMail(at, fresh, welcomeLink));
    const welcome = await check(page, paths(pathname + search));
    const nth = await codesSent(at, email);
    const start = await check(page, [{ path: '/sign-in', form: { email } }, ...paths('/sign-in/code')]);
    const wrong = { path: '/sign-in/code', form: { code: 'none' } };
    const code = await inMail(at, email, codePattern, { nth });
    const choice = await check(page, [wrong, { path: '/sign-in/code', form: { code } }]);
    await page.locator(`button[value="${id}"]`).click();
    await page.waitForURL('**/cases');
    const own = await check(page, [
      ...visitsOf(peoplePages, { case_ref }),
      ...paths('/cases/FLOW9999999'),
      { path: '/data/delete', form: { confirm: 'on' } },
    ]);
    return [...entry, ...welcome, ...start, ...choice, ...own];
  }

  const valid =
    'is valid HTML, accessible in light and dark, fits 320 px, shows the focus, and logs nothing in the browser';

  it(`${valid}: the console`, async () => {
    expect(await checkConsole()).toEqual([]);
  }, 400_000);

  it(`${valid}: the staff of a firm`, async () => {
    expect(await checkStaff()).toEqual([]);
  });

  it.each(language.options)(
    `${valid}: people, in %s`,
    async (name) => {
      expect(await checkPeople(name)).toEqual([]);
    },
    400_000,
  );

  const guide = guidePages().map(({ path }) => path);
  const documents = ['/docs', ...guide, '/problems/rate_limited', '/problems/none'];

  // One by one: the reference is long.
  it.each([...documents, 'the page of operators'])(`${valid}: %s`, async (path) => {
    const page = await open('pt-BR');
    const address = path.startsWith('/') ? path : new URL('/', at.metrics_urls.gateway).href;
    expect(await check(page, paths(address))).toEqual([]);
    await page.close();
  });

  it('is found from the search of the documents: the guide and the reference by a word of theirs', async () => {
    const page = await open('en-US');
    await page.goto('/docs');
    const search = page.getByRole('searchbox', { name: 'Search' });
    const contents = page.getByRole('navigation', { name: 'Contents' });
    const shown = async (word: string) => {
      await search.fill(word);
      const links = await contents.getByRole('link').all();
      return await Promise.all(links.map((link) => link.getAttribute('href')));
    };
    const all = await shown('');
    const [ofGuide, ofReference] = [await shown('parentheses'), await shown('rotate key')];
    expect(ofGuide).toContain('/docs/guide/activity');
    expect(ofReference).toContain('#rotate_key');
    for (const found of [ofGuide, ofReference]) expect(found.length).toBeLessThan(all.length / 2);
    expect(await shown('zzzzzz')).toEqual([]);
    await search.fill('parentheses');
    await search.press('Enter');
    await page.waitForURL('**/docs/guide/**');
    await page.close();
  });

  // After the others: they note where they were.
  it('is one of those above', () => {
    const routes = browserRoutes().filter(({ method }) => method === 'GET');
    const known = routes.map(({ path }) => path);
    expect([...noPages, ...ofOtherTests].filter((path) => !known.includes(path))).toEqual([]);
    const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
    // A path without parameters is the nearer match.
    const nearest = known.toSorted((a, b) => a.split(':').length - b.split(':').length);
    const seen = new Set(
      [...visited].map((visit) => nearest.find((path) => path === visit || patternOf(path).test(visit))),
    );
    const left = known.filter(
      (path) => !seen.has(path) && !noPages.includes(path) && !ofOtherTests.includes(path),
    );
    // The pages of error codes have one form.
    expect(left.filter((path) => !path.startsWith('/problems/'))).toEqual([]);
  });
});
