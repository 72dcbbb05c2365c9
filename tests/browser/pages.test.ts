import { routesInOrder } from '@casewatch/contracts';
import { type Browser, launchChromium, type Page } from '@casewatch/dev/browser';
import { codePattern, createPartner, inMail } from '@casewatch/driver';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consolePages } from '../../services/gateway/src/pages/console/pages.ts';
import { peoplePages } from '../../services/gateway/src/pages/people/pages.ts';
import { checkPage, type Visit } from '../support/check-page.ts';
import { consoleLink } from '../support/console.ts';
import { newPartner } from '../support/operator.ts';
import { changedCase, fillConsole, visitsOf } from '../support/page-data.ts';
import { codesSent } from '../support/person-browser.ts';
import { type DevFile, type System, sharedSystem } from '../support/system.ts';

/** A file that the browser saves is no page. */
const download = /\/(download|calendar)$/;
const person = { name: 'María Silva', preferred_language: 'es' };
const verifyLink = /(https?:\/\/\S+\/v1\/users\/verify-email\?token=[^\s>)]+)/;
const asProgram = { headers: { accept: 'application/json' } };

describe('every page', () => {
  let system: System;
  let at: DevFile;
  let browser: Browser | undefined;

  beforeAll(async () => {
    system = await sharedSystem();
    at = system.dev();
    browser = await launchChromium();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
  }, 60_000);

  async function open(locale: string): Promise<Page> {
    if (!browser) throw new Error('no browser');
    const context = await browser.newContext({ baseURL: at.gateway_url, locale });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    return page;
  }

  async function check(page: Page, visits: readonly Visit[]): Promise<string[]> {
    const found: string[] = [];
    for (const visit of visits) if (!download.test(visit.path)) found.push(...(await checkPage(page, visit)));
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

  async function checkPeople(): Promise<string[]> {
    const [partner, other] = [createPartner(at, at.partner), createPartner(at, at.other_partner)];
    const { id, email } = await partner.newUser(person);
    await other.newUser({ ...person, email });
    for (const nth of [0, 1]) await fetch(await inMail(at, email, verifyLink, { nth }), asProgram);
    const case_ref = await changedCase(at, partner, id);
    const page = await open('es-MX');
    const entry = await check(page, [
      ...paths('/', '/signed-out', '/deleted', '/cases'),
      { path: '/sign-in', form: { email: 'none' } },
    ]);
    const nth = await codesSent(at, email);
    const start = await check(page, [{ path: '/sign-in', form: { email } }]);
    const wrong = { path: '/sign-in/code', form: { code: 'none' } };
    const code = await inMail(at, email, codePattern, { nth });
    const choice = await check(page, [wrong, { path: '/sign-in/code', form: { code } }]);
    await page.locator(`button[value="${id}"]`).click();
    await page.waitForURL('**/cases');
    const own = await check(page, [...visitsOf(peoplePages, { case_ref }), ...paths('/cases/FLOW9999999')]);
    return [...entry, ...start, ...choice, ...own];
  }

  /** Of links in mails: what a link without a valid token shows. mails.test.ts has the others. */
  async function checkOthers(): Promise<string[]> {
    const links = routesInOrder().filter(({ method, page }) => method === 'GET' && page === true);
    const operator = new URL('/', at.metrics_urls.gateway).href;
    return await check(
      await open('pt-BR'),
      paths(...links.map(({ path }) => `${path}?token=none`), operator),
    );
  }

  it('is valid HTML, accessible in light and dark, fits 320 px, shows the focus, and logs nothing in the browser', async () => {
    const found = await Promise.all([checkConsole(), checkPeople(), checkOthers()]);
    expect(found.flat()).toEqual([]);
  }, 240_000);
});
