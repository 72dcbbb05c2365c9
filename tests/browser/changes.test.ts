import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, launchChromium, type Page } from '@casewatch/dev/browser';
import { keyHeaders, type PartnerWithKey, succeed } from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seedFirm } from '../../tools/dev/src/history/seed-firm.ts';
import { newPartner } from '../support/operator.ts';
import { invitationTo } from '../support/staff.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

/** A paralegal's morning with 2,000 cases. The tests run in this order. */
describe('the changes of a firm in a browser', () => {
  let at: DevFile;
  let firm: PartnerWithKey;
  let browser: Browser;
  let page: Page;
  const messages: string[] = [];
  /** Keys and clicks since the page after the sign-in. */
  let pressed = 0;

  beforeAll(async () => {
    const system = await sharedSystem();
    at = system.dev();
    firm = await newPartner(system.dataDir, 'Paralegal Law');
    const email = `paula.${Date.now().toString(36)}@paralegal.example`;
    const as = keyHeaders(firm);
    const body = { email, name: 'Paula Reyes', role: 'editor' };
    await succeed(at, 'POST', { as, path: '/v1/client/staff', body });
    const settings = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8'));
    await seedFirm({
      partnerId: firm.id,
      cases: 2_000,
      identityUrl: settings.identity.MONGODB_URL,
      casesUrl: settings.cases.MONGODB_URL,
      monitorUrl: settings.monitor.MONGODB_URL,
    });
    browser = await launchChromium();
    const context = await browser.newContext({
      baseURL: at.gateway_url,
      viewport: { width: 1_300, height: 800 },
    });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => messages.push(error.message));
    await page.goto(`/console/invitation?token=${await invitationTo(at, email)}`);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.waitForURL('**/console');
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      pressed++;
      await page.keyboard.press(key);
    }
  }

  const focusedName = () => page.evaluate('document.activeElement.textContent');
  const rows = (shown: Page) => shown.locator('main tbody tr');

  it('reaches the telephone number of the third client in at most twelve keys', async () => {
    await page.getByRole('heading', { name: 'Urgent' }).waitFor();
    const third = rows(page).nth(2);
    const name = await third.locator('th a').textContent();
    await press('j', 'j', 'j');
    expect(await focusedName()).toBe(name);
    await press('Enter');
    await page.waitForURL('**/console/cases/FLOW*');
    await page
      .getByText(/^\+1\d{10}$/)
      .first()
      .waitFor();
    expect(await page.getByRole('link', { name: name ?? '' }).count()).toBeGreaterThan(0);
    expect(pressed).toBeLessThanOrEqual(12);
    await page.goBack();
  });

  it('offers to copy a value for as long as the page is open', async () => {
    await page.goto('/console/cases');
    await rows(page).first().locator('th a').click();
    await page.waitForURL('**/console/cases/FLOW*');
    const copied = page.locator('main .copy');
    const before = await copied.count();
    expect(before).toBeGreaterThan(0);
    let asked = 0;
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'fetch') asked++;
    });
    // The answer to the first question is on the page when the second is asked.
    await waitFor(async () => asked > 1, { timeoutMs: 40_000, what: 'the page asks for news' });
    expect(await copied.count()).toBe(before);
  });

  it('shows twenty cases on a laptop', async () => {
    await page.goto('/console/cases');
    const whole = await page.evaluate(
      `[...document.querySelectorAll('main tbody tr')].filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`,
    );
    expect(whole).toBeGreaterThanOrEqual(20);
  });

  it('marks a change as done by one key, and it is gone from the list', async () => {
    await page.goto('/console');
    const first = rows(page).first();
    const box = await first.locator('.pick').getAttribute('value');
    await press('j', 'e');
    await page.getByText('1 change marked as done.').waitFor();
    expect(await page.locator(`.pick[value="${box}"]`).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator(`.pick[value="${box}"]`).waitFor();
  });

  it('assigns the rows that are selected, without a mouse', async () => {
    await page.goto('/console');
    await press('j', 'x', 'j', 'x', 'a');
    expect(await page.evaluate('document.activeElement.name')).toBe('assignee_id');
    await page.keyboard.type('Me');
    await press('Tab', 'Enter');
    await page.getByText('Done for 2 cases.').waitFor();
    for (const row of [0, 1]) expect(await rows(page).nth(row).textContent()).toContain('Paula Reyes');
    await page.goto('/console');
    await page.getByText('Filters').click();
    // A filter takes effect when it is chosen.
    await page.getByLabel('Assignee', { exact: true }).selectOption({ label: 'Me (Paula Reyes)' });
    await page.waitForURL('**assignee_id=*');
    await page.getByRole('link', { name: 'Clear the filters' }).waitFor();
  });

  it('finds people by the beginnings of their names, whatever their accents, from every page', async () => {
    for (const [typed, found] of [
      ['muñ', /Muñoz/],
      ['munoz', /Muñoz/],
      ['silva ana', /Ana .*Silva/],
    ] as const) {
      await page.goto('/console/overview');
      await press('/');
      await page.keyboard.type(typed);
      await press('Enter');
      await page.waitForURL('**/console/cases?q=*');
      const names = await page.locator('main tbody th a').allTextContents();
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(name).toMatch(found);
    }
  });

  it('leaves what is selected alone while the page asks for news, and takes no key while somebody types', async () => {
    await page.goto('/console/cases');
    await press('j', 'x');
    let asked = 0;
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch') asked++;
    });
    await page.evaluate('document.activeElement.blur()');
    await page.locator('#f-find').click();
    await page.keyboard.type('jjx');
    expect(await page.locator('#f-find').inputValue()).toBe('jjx');
    expect(await page.locator('.pick:checked').count()).toBe(1);
    await page.locator('.pick:checked').uncheck();
    await page.evaluate('document.activeElement.blur()');
    await waitFor(async () => asked > 0, { timeoutMs: 30_000, what: 'the page asks for news' });
    expect(messages).toEqual([]);
  });
});
