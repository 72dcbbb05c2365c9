import { codePattern, type DevFile, inMail, mailsTo } from '@casewatch/driver';
import { CliError } from '../cli-error.ts';
import type { BrowserContext, Page } from '../pictures/browser.ts';
import { demoConsole } from '../seed/demo-console.ts';
import { DEMO_USERS } from '../seed/demo-data.ts';

/** The page that people see before they sign in. */
export const signInPage = { name: 'people: sign in', path: '/' };

/** Signs in as a person and as a partner. @returns the pages that most people see then */
export async function mainPages(context: BrowserContext, dev: DevFile) {
  const page = await context.newPage();
  await signIn(page, dev);
  const ownCase = await firstLink(page, '/cases');
  await page.goto(await demoConsole(dev, dev.partner));
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.waitForURL('**/console');
  const consoleCase = await firstLink(page, '/console/cases');
  const endpoint = await firstLink(page, '/console/webhooks');
  await page.close();
  return [
    { name: 'people: my cases', path: '/cases' },
    { name: 'people: case', path: ownCase },
    { name: 'console: overview', path: '/console' },
    { name: 'console: case', path: consoleCase },
    { name: 'console: endpoint', path: endpoint },
  ];
}

async function signIn(page: Page, dev: DevFile): Promise<void> {
  const [{ email }] = DEMO_USERS;
  const nth = (await mailsTo(dev, email)).filter(({ text }) => codePattern.test(text ?? '')).length;
  await page.goto('/');
  await page.locator('[name=email]').fill(email);
  await page.locator('main form button').click();
  await page.waitForURL('**/sign-in/code');
  await page.locator('[name=code]').fill(await inMail(dev, email, codePattern, { nth }));
  await page.locator('main form button').first().click();
  await page.waitForURL('**/cases');
}

async function firstLink(page: Page, list: string): Promise<string> {
  await page.goto(list);
  const link = await page.locator('main :is(tbody, .cases) a').first().getAttribute('href');
  if (link === null) throw new CliError(`${list} has no row: run npm run demo:history first.`);
  return link;
}
