import { randomUUID } from 'node:crypto';
import { type Browser, launchChromium } from '@casewatch/dev/browser';
import { createPartner, inMail, newReceipt, received, setReceipt, titled } from '@casewatch/driver';
import { afterAll, beforeAll, it } from '@jest/globals';
import { consoleLink } from '../support/console.ts';
import { newPartner } from '../support/operator.ts';
import { type DevFile, sharedSystem, type System } from '../support/system.ts';

let system: System;
let at: DevFile;
let browser: Browser;
beforeAll(async () => {
  system = await sharedSystem();
  at = system.dev();
  browser = await launchChromium();
}, 240_000);
afterAll(async () => browser?.close());
const welcomeLink = /(https?:\/\/\S+\/welcome\?token=[^\s>)]+)/;
const pathOf = (link: string) => new URL(link).pathname + new URL(link).search;

it('pictures', async () => {
  const context = await browser.newContext({ baseURL: at.gateway_url, locale: 'pt-BR' });
  const page = await context.newPage();
  const shot = async (name: string, path: string | null, widths = [320, 390]) => {
    if (path !== null) await page.goto(path);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of widths) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await page.screenshot({ path: `/tmp/shots/${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
  };
  const email = `ana.${randomUUID().slice(0, 6)}@example.com`;
  await shot('front', '/');
  await shot('front-en', '/?language=en');
  await shot('front-es', '/?language=es');
  await page.goto('/?language=pt');
  await page.getByLabel('Seu e-mail').fill(email);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.waitForURL('**/sign-in/code');
  await shot('code', null);
  const link = pathOf(await inMail(at, email, welcomeLink));
  await shot('welcome', link);
  await page.goto(link);
  await page.getByRole('button', { name: 'Abrir a minha conta' }).click();
  await page.waitForURL('**/start');
  await shot('start', null);
  const receipt = newReceipt();
  await setReceipt(at, receipt, received);
  await page.getByLabel('Seu nome').fill('Ana Souza');
  await page.getByLabel('Número de recibo (receipt number)').fill(receipt);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Acompanhar o meu caso' }).click();
  await page.waitForURL('**/cases/FLOW*');
  await shot('case', null);
  await page.getByRole('button', { name: 'Pausar este caso' }).click();
  await page.waitForURL('**done=case_paused');
  await shot('paused', null);
  await shot('settings', '/settings');
  await shot('used', link);
  await shot('deleted', '/deleted');
  await shot('lost', '/casos');
  await shot('docs', '/docs', [390, 1300]);
  await shot('guide', '/docs/guide', [390, 1300]);
  await shot('guide-webhooks', '/docs/guide/webhooks', [390, 1300]);
  const partner = createPartner(at, at.partner);
  const { email: to } = await partner.newUser({ name: 'Luis Moreno', preferred_language: 'es' });
  const verify = pathOf(await inMail(at, to, /(https?:\/\/\S+\/v1\/users\/verify-email\?token=[^\s>)]+)/));
  await page.goto(verify);
  await page.getByRole('button').click();
  await shot('verified', null);
  const keys = await newPartner(system.dataDir, 'Santos Law');
  const own = createPartner(at, keys);
  await own.newUser({ name: 'Luis Moreno' });
  await own.verifiedUser({ name: 'Ana Silva' });
  const desk = await browser.newContext({ baseURL: at.gateway_url });
  const tab = await desk.newPage();
  await tab.goto(await consoleLink(at, keys, { actor: 'Maria Lopes' }));
  await tab.getByRole('button', { name: 'Open the console' }).click();
  await tab.waitForURL('**/console');
  for (const [name, path, width] of [
    ['users', '/console/users', 1300],
    ['users', '/console/users?verified=false', 390],
  ] as const) {
    await tab.setViewportSize({ width, height: 800 });
    await tab.goto(path);
    await tab.screenshot({ path: `/tmp/shots/${name}-${width}.png`, fullPage: true });
  }
  void titled;
}, 240_000);
