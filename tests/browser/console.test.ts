import { type Browser, type BrowserContext, launchChromium, type Page } from '@casewatch/dev/browser';
import { newReceipt, type PartnerWithKey, received, setReceipt, titled } from '@casewatch/driver';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consoleLink } from '../support/console.ts';
import { newPartner } from '../support/operator.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

/** A long title of the status table: it must fit a phone. */
const longTitle = 'Case Was Updated To Show That No One Appeared for In-Person Processing';

describe('the console', () => {
  let at: DevFile;
  let keys: PartnerWithKey;
  let browser: Browser | undefined;
  let context: BrowserContext;
  let page: Page;
  const messages: string[] = [];

  beforeAll(async () => {
    const system = await sharedSystem();
    at = system.dev();
    keys = await newPartner(system.dataDir, 'First Day Law');
    browser = await launchChromium();
    context = await browser.newContext({ baseURL: at.gateway_url });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(error.message));
  });
  afterAll(async () => {
    await browser?.close();
  });

  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).click();
  };
  const follow = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).first().click();
  };

  it('a new partner sees the first change arrive, in the browser alone', async () => {
    const receipt = newReceipt();
    await setReceipt(at, receipt, received);
    await page.goto(await consoleLink(at, keys, { actor: 'Maria Lopes' }));
    await press('Open the console');
    await page.waitForURL('**/console');
    await follow('Users');
    await follow('Create a user');
    await page.getByLabel('Full name').fill('Ana Silva');
    await page.getByLabel('E-mail address').fill(`ana.${Date.now()}@example.com`);
    await press('Create user');
    await page.getByRole('heading', { name: 'Ana Silva' }).waitFor();
    await follow('Add a case');
    await page.getByLabel('Receipt number').fill(receipt);
    await page.getByLabel('Description').fill('Green card');
    await page.getByLabel('The user or their counsel has authorized access to the case status.').check();
    await press('Add case');
    await page.getByRole('heading', { name: 'Case Was Received' }).waitFor();
    const casePath = new URL(page.url()).pathname;

    await follow('Webhooks');
    await follow('Add an endpoint');
    await page.getByLabel('Address').fill(`${at.receiver_url}/hooks/first-day`);
    await page.getByLabel('Description').fill('Case system');
    await press('Add endpoint');
    await page.getByText(/^whsec_/).waitFor();
    await follow('Endpoint');
    await press('Send a test event');
    await page.getByText('HTTP 200').waitFor();

    await page.goto(casePath);
    await setReceipt(at, receipt, titled(longTitle));
    // The page asks again by itself.
    await page.getByRole('heading', { name: longTitle }).waitFor({ timeout: 60_000 });
    await follow('Webhooks');
    await follow('Case system');
    await follow('case.status_updated');
    await press('Send again');
    await page.getByText('sent by hand').waitFor();
    expect(messages).toEqual([]);
  });

  it('the keyboard alone rotates a key: it opens, fills and presses', async () => {
    await page.goto('/console/keys');
    await page.getByText('Rotate…').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.name')).toBe('overlap_hours');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(/^cws_live_/).waitFor();
    await follow('API keys');
    expect(await page.getByText('This console uses this key').count()).toBe(1);
  });

  it('the keyboard alone starts a replay, and deletes a user whose address is typed', async () => {
    await page.goto('/console/webhooks');
    await follow('Case system');
    await page.getByText('Replay…').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Which events').focus();
    await page.keyboard.press('End');
    for (const _ of ['From when', 'Start replay']) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Replay' }).waitFor();
    await page.getByText('Completed').waitFor();

    await page.goto('/console/users/new');
    const email = `gone.${Date.now()}@example.com`;
    await page.getByLabel('Full name').fill('Soon Gone');
    await page.getByLabel('E-mail address').fill(email);
    await press('Create user');
    await page.getByText('Delete user…').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('someone@example.com');
    await page.keyboard.press('Enter');
    await page.getByText(`Type ${email} to delete this user.`).waitFor();
    await page.getByLabel(`Type ${email} to confirm`).fill(email);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/users');
    expect(await page.getByText('Soon Gone').count()).toBe(0);
  });

  it('a double press is one press: the page shows what the first one did', async () => {
    await page.goto('/console/users/new');
    await page.getByLabel('Full name').fill('Pressed Twice');
    await page.getByLabel('E-mail address').fill(`twice.${Date.now()}@example.com`);
    const sent: string[] = [];
    page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())));
    await page.getByRole('button', { name: 'Create user' }).dblclick();
    await page.getByRole('heading', { name: 'Pressed Twice' }).waitFor();
    expect(sent).toHaveLength(1);
  });

  it('a page that is open when the session ends shows nothing more, and neither does the back button', async () => {
    const left = await context.newPage();
    await left.goto('/console/cases');
    await page.goto('/console/users');
    await press('Sign out');
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.goBack();
    for (const tab of [page, left]) {
      await tab.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
      expect(await tab.getByText('Green card').or(tab.getByText('Ana Silva')).count()).toBe(0);
    }
  });
});
