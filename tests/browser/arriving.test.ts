import { randomUUID } from 'node:crypto';
import { type Browser, launchChromium, type Page } from '@casewatch/dev/browser';
import { codePattern, inMail, newReceipt, received, setReceipt, titled } from '@casewatch/driver';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkPage } from '../support/check-page.ts';
import { codesSent } from '../support/person-browser.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

// The links end before white space or a closing bracket.
const welcomeLink = /(https?:\/\/\S+\/welcome\?token=[^\s>)]+)/;
const caseLink = /(https?:\/\/\S+\/cases\/FLOW\d+)/;
const pathOf = (link: string) => new URL(link).pathname + new URL(link).search;

describe('arriving alone, in Portuguese, on a phone without script', () => {
  let at: DevFile;
  let browser: Browser | undefined;
  let page: Page;
  const email = `noite.${randomUUID()}@example.com`;
  const receipt = newReceipt();
  const messages: string[] = [];

  beforeAll(async () => {
    at = (await sharedSystem()).dev();
    browser = await launchChromium();
    const context = await browser.newContext({
      baseURL: at.gateway_url,
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
      locale: 'pt-BR',
    });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => messages.push(message.text()));
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
  });

  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();

  it('a first evening: from the front page to a watched case, a change, out, in again by its mail, and away', async () => {
    await setReceipt(at, receipt, received);
    await page.goto('/');
    await heading('Acompanhe o seu caso no USCIS');
    await page.getByText('Não custa nada').waitFor();
    await page.getByLabel('Seu e-mail').fill(email);
    await press('Continuar');
    await heading('Veja o seu e-mail');

    const link = pathOf(await inMail(at, email, welcomeLink));
    for (let i = 0; i < 2; i += 1) {
      await page.goto(link);
      await heading('Abra a sua conta');
    }
    await press('Abrir a minha conta');
    await heading('Boas-vindas');

    await page.getByLabel('Seu nome').fill('Ana Souza');
    await page.getByLabel('Número de recibo (receipt number)').fill('IOE12');
    await press('Acompanhar o meu caso');
    await page.getByText('Marque esta caixa. Sem ela').waitFor();
    await page.getByRole('checkbox', { name: /Este é o meu caso/ }).check();
    await press('Acompanhar o meu caso');
    await page.getByText('Um número de recibo tem três letras e dez números.').waitFor();
    expect(await page.getByLabel('Seu nome').inputValue()).toBe('Ana Souza');
    await page.getByLabel('Número de recibo (receipt number)').fill(receipt);
    await press('Acompanhar o meu caso');
    await page.getByText('O caso foi adicionado.').waitFor();
    const casePath = new URL(page.url()).pathname;

    await page.goto('/settings');
    expect(await page.getByLabel('Seu nome').inputValue()).toBe('Ana Souza');
    expect(await page.getByLabel('Idioma das páginas e das mensagens').inputValue()).toBe('pt');

    await setReceipt(at, receipt, titled('Request for Initial Evidence Was Sent'));
    const toCase = pathOf(await inMail(at, email, caseLink));
    expect(toCase).toBe(casePath);

    await press('Sair');
    await heading('Você saiu da sua conta');
    await page.goto(toCase);
    await page.getByLabel('Seu e-mail').fill(email);
    const nth = await codesSent(at, email);
    await press('Continuar');
    await page.getByLabel('Código').fill(await inMail(at, email, codePattern, { nth }));
    await press('Entrar');
    await page.waitForURL(`**${casePath}`);
    await heading('O que fazer');

    await press('Pausar este caso');
    await page.getByText('Este caso agora está em pausa.').waitFor();
    await press('Voltar a consultar este caso');
    await page.getByText('Voltamos a consultar este caso').waitFor();

    await page.goto('/data');
    await page.getByText('Excluir a minha conta…').click();
    await page.getByRole('checkbox', { name: /Sim, excluir a minha conta/ }).check();
    await press('Excluir para sempre');
    await heading('A sua conta foi excluída');
    await page.getByRole('link', { name: 'Ir para a página inicial' }).click();
    await heading('Acompanhe o seu caso no USCIS');
    // The browser tells of the form that was refused twice, of the page that asked for a sign-in, and of the cache that signing out cleared.
    expect(messages.filter((text) => !/status of 40[01]|Cleared data types/.test(text))).toEqual([]);
  }, 180_000);

  it('a link that was used leads on to a new one', async () => {
    const address = `outra.${randomUUID()}@example.com`;
    const ask = async () => {
      await page.getByLabel('Seu e-mail').fill(address);
      await press('Continuar');
      await heading('Veja o seu e-mail');
    };
    await page.goto('/');
    await ask();
    const link = pathOf(await inMail(at, address, welcomeLink));
    await page.goto(link);
    await press('Abrir a minha conta');
    await heading('Boas-vindas');
    await press('Adicionar um caso depois');
    await heading('Meus casos');
    await press('Sair');
    await heading('Você saiu da sua conta');
    await page.goto(link);
    await heading('Este link não funciona mais');
    await page.getByLabel('Seu e-mail').fill(address);
    const nth = await codesSent(at, address);
    await press('Continuar');
    await page.getByLabel('Código').fill(await inMail(at, address, codePattern, { nth }));
    await press('Entrar');
    await heading('Meus casos');
  }, 120_000);

  it('its pages are valid, accessible in light and dark, fit 320 px and show the focus', async () => {
    if (!browser) throw new Error('no browser');
    const withScript = await browser.newContext({ baseURL: at.gateway_url, locale: 'pt-BR' });
    const tab = await withScript.newPage();
    const address = `terceira.${randomUUID()}@example.com`;
    const found: string[] = [];
    const visits = ['/', '/welcome?token=none', '/casos', '/docs', '/docs/guide', '/docs/guide/webhooks'];
    for (const path of [...visits, '/problems/rate_limited']) found.push(...(await checkPage(tab, { path })));
    await tab.goto('/');
    found.push(...(await checkPage(tab, { path: '/sign-in', form: { email: address } })));
    const link = pathOf(await inMail(at, address, welcomeLink));
    found.push(...(await checkPage(tab, { path: link })));
    await tab.getByRole('button', { name: 'Abrir a minha conta' }).click();
    await tab.waitForURL('**/start');
    found.push(...(await checkPage(tab, { path: '/start' })));
    expect(found).toEqual([]);
  }, 240_000);
});
