import { type Browser, type BrowserContext, launchChromium, type Page } from '@casewatch/dev/browser';
import {
  codePattern,
  createPartner,
  inMail,
  type Mail,
  mailsTo,
  newReceipt,
  received,
  setReceipt,
  titled,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkPage } from '../support/check-page.ts';
import { newPartner } from '../support/operator.ts';
import { codesSent } from '../support/person-browser.ts';
import { pictureStory } from '../support/pictures.ts';
import { type DevFile, type System, sharedSystem } from '../support/system.ts';

// The links end before white space or a closing bracket.
const welcomeLink = /(https?:\/\/\S+\/welcome\?token=[^\s>)]+)/;
const caseLink = /(https?:\/\/\S+\/cases\/FLOW\d+)/;
const verifyLink = /(https?:\/\/\S+\/v1\/users\/verify-email\?token=[^\s>)]+)/;
const unsubscribeLink = /(https?:\/\/\S+\/unsubscribe\?token=[^\s>)]+)/;
const pathOf = (link: string) => new URL(link).pathname + new URL(link).search;

let addresses = 0;
/** Nobody has it yet; short enough for a line of a small phone. */
const newAddress = (name: string) => `${name}.${Date.now().toString(36)}${addresses++}@example.com`;

/** A request for evidence as USCIS words it, of today: its latest possible day for the answer is known. */
function evidenceAsked() {
  const [now, zone] = [new Date(), { timeZone: 'UTC' }];
  const day = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', ...zone }).format(now);
  return {
    ...titled('Request for Additional Evidence Was Sent'),
    desc_en: `On ${day('en-US')}, we sent a request for additional evidence for your Form I-130, Petition for Alien Relative. The request for evidence explains what we need from you.`,
    text_es: 'Se Envió Una Solicitud De Evidencia Adicional',
    desc_es: `El ${day('es')}, enviamos una solicitud de evidencia adicional para su Formulario I-130, Petición de Familiar Extranjero. La solicitud explica lo que necesitamos de usted.`,
  };
}

/** Waits for the mail whose text has the pattern. */
const mailWith = (at: DevFile, email: string, pattern: RegExp): Promise<Mail> =>
  waitFor(async () => (await mailsTo(at, email)).find(({ text }) => pattern.test(text ?? '')), {
    what: `a mail with ${pattern.source}`,
    timeoutMs: 60_000,
  });

/** The text of the file that a link saves. */
async function downloaded(page: Page, link: string): Promise<string> {
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: link, exact: true }).click();
  const parts = await (await saving).createReadStream().then((stream) => stream.toArray());
  return Buffer.concat(parts).toString();
}

describe('arriving alone, in Portuguese, on a phone without script', () => {
  let at: DevFile;
  let browser: Browser | undefined;
  let context: BrowserContext;
  let page: Page;
  const pictures = pictureStory('evening');
  const email = newAddress('ana');
  const receipt = newReceipt();
  const messages: string[] = [];

  beforeAll(async () => {
    at = (await sharedSystem()).dev();
    browser = await launchChromium();
    context = await browser.newContext({
      // A picture in the middle of the change of a page shows both.
      reducedMotion: 'reduce',
      baseURL: at.gateway_url,
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
      locale: 'pt-BR',
    });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => messages.push(message.text()));
  });
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
    await pictures.page(page, 'front-page');
    await page.getByLabel('Seu e-mail').fill(email);
    await press('Continuar');
    await heading('Veja o seu e-mail');
    await pictures.page(page, 'look-at-your-mail');

    const link = pathOf(await inMail(at, email, welcomeLink));
    await pictures.mail(context, await mailWith(at, email, welcomeLink), 'welcome-mail');
    for (let i = 0; i < 2; i += 1) {
      await page.goto(link);
      await heading('Abra a sua conta');
    }
    await pictures.page(page, 'open-your-account');
    await press('Abrir a minha conta');
    await heading('Boas-vindas');
    await pictures.page(page, 'name-and-first-case');

    await page.getByLabel('Seu nome').fill('Ana Souza');
    await page.getByLabel('Número de recibo (receipt number)').fill('IOE12');
    await press('Acompanhar o meu caso');
    await page.getByText('Marque esta caixa. Sem ela').waitFor();
    await page.getByRole('checkbox', { name: /Este é o meu caso/ }).check();
    await press('Acompanhar o meu caso');
    await page.getByText('Um número de recibo tem três letras e dez números.').waitFor();
    await pictures.page(page, 'wrong-receipt-number');
    expect(await page.getByLabel('Seu nome').inputValue()).toBe('Ana Souza');
    await page.getByLabel('Número de recibo (receipt number)').fill(receipt);
    await press('Acompanhar o meu caso');
    await page.getByText('O caso foi adicionado.').waitFor();
    await pictures.page(page, 'watched-case');
    const casePath = new URL(page.url()).pathname;

    await page.goto('/settings');
    expect(await page.getByLabel('Seu nome').inputValue()).toBe('Ana Souza');
    expect(await page.getByLabel('Idioma das páginas e das mensagens').inputValue()).toBe('pt');

    await setReceipt(at, receipt, evidenceAsked());
    const toCase = pathOf(await inMail(at, email, caseLink));
    expect(toCase).toBe(casePath);
    await pictures.mail(context, await mailWith(at, email, caseLink), 'change-mail');

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
    await pictures.page(page, 'case-with-the-change');
    const entry = await downloaded(page, 'Adicionar este dia à minha agenda');
    expect(entry).toContain('SUMMARY:Responder ao USCIS: veja o seu caso\r\n');

    await press('Pausar este caso');
    await page.getByText('Este caso agora está em pausa.').waitFor();
    await pictures.page(page, 'paused');
    await press('Voltar a consultar este caso');
    await page.getByText('Voltamos a consultar este caso').waitFor();

    await page.goto('/data');
    await page.getByText('Excluir a minha conta…').click();
    await page.getByRole('checkbox', { name: /Sim, excluir a minha conta/ }).check();
    await press('Excluir para sempre');
    await heading('A sua conta foi excluída');
    await pictures.page(page, 'deleted');
    await page.getByRole('link', { name: 'Ir para a página inicial' }).click();
    await heading('Acompanhe o seu caso no USCIS');
    // The browser tells of the form that was refused twice, of the page that asked for a sign-in, and of the cache that signing out cleared.
    expect(messages.filter((text) => !/status of 40[01]|Cleared data types/.test(text))).toEqual([]);
  });

  it('a link that was used leads on to a new one', async () => {
    const address = newAddress('outra');
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
  });

  it('its pages are valid, accessible in light and dark, fit 320 px and show the focus', async () => {
    if (!browser) throw new Error('no browser');
    const withScript = await browser.newContext({ baseURL: at.gateway_url, locale: 'pt-BR' });
    const tab = await withScript.newPage();
    const address = newAddress('terceira');
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
  });
});

describe("a firm's client, in Spanish, on the smallest phone without script", () => {
  const firm = 'Bufete Ortega';
  let system: System;
  let at: DevFile;
  let browser: Browser | undefined;
  let context: BrowserContext;
  let page: Page;
  let partner: ReturnType<typeof createPartner>;
  const pictures = pictureStory('client');
  const messages: string[] = [];

  beforeAll(async () => {
    system = await sharedSystem();
    at = system.dev();
    // Of a firm that has set nothing: no logo, no contact, no address of its own pages.
    partner = createPartner(at, await newPartner(system.dataDir, firm));
    browser = await launchChromium();
    context = await browser.newContext({
      reducedMotion: 'reduce',
      baseURL: at.gateway_url,
      javaScriptEnabled: false,
      viewport: { width: 320, height: 640 },
      locale: 'es-MX',
    });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => messages.push(message.text()));
  });
  afterAll(async () => {
    await browser?.close();
  });

  const heading = (name: string | RegExp) =>
    page
      .getByRole('heading', { name, exact: typeof name === 'string' })
      .first()
      .waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const fits = async () =>
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBe(320);
  /** Each page of the story fits, and is a picture. */
  const look = async (what: string) => {
    await fits();
    await pictures.page(page, what);
  };

  async function signIn(email: string): Promise<void> {
    await page.getByLabel('Su correo electrónico').fill(email);
    const nth = await codesSent(at, email);
    await press('Continuar');
    await heading('Revise su correo');
    await look('look-at-your-mail');
    await page.getByLabel('Código').fill(await inMail(at, email, codePattern, { nth }));
    await press('Iniciar sesión');
  }

  async function watched(name: string, local: string): Promise<{ email: string; receipt: string }> {
    const receipt = newReceipt();
    await setReceipt(at, receipt, received);
    const email = newAddress(local);
    const { id } = await partner.newUser({ name, email, preferred_language: 'es' });
    await partner.newCase(id, receipt);
    return { email, receipt };
  }

  it('from the verification mail to the case, a change, the calendar, and out again', async () => {
    const { email, receipt } = await watched('Lucía Campos', 'lucia');
    const first = await mailWith(at, email, verifyLink);
    expect(first.headers.from).toContain(firm);
    expect(first.text).toMatch(new RegExp(`^${firm} quiere enviarle las novedades de su caso`));
    await pictures.mail(context, first, 'verification-mail');

    await page.goto(pathOf(await inMail(at, email, verifyLink)));
    await heading('Confirme su dirección de correo electrónico');
    await look('confirm');
    await press('Confirmar mi correo electrónico');
    await heading('Su dirección de correo electrónico quedó confirmada');
    await look('confirmed');
    await page.getByRole('link', { name: 'Iniciar sesión' }).click();
    await heading('Siga su caso de USCIS');
    await look('front-page');
    await signIn(email);
    await heading('Mis casos');
    await look('my-cases');

    await setReceipt(at, receipt, evidenceAsked());
    const told = await mailWith(at, email, caseLink);
    expect(told.headers.from).toContain(firm);
    await pictures.mail(context, told, 'change-mail');
    const toCase = new URL(await inMail(at, email, caseLink));
    expect(toCase.origin).toBe(new URL(at.gateway_url).origin);
    await page.goto(toCase.pathname);
    await heading('Qué hacer');
    await look('case-with-the-change');
    const entry = await downloaded(page, 'Agregar este día a mi calendario');
    expect(entry.split('\r\n').filter((line) => /^(SUMMARY|DTSTART)/.test(line))).toEqual([
      expect.stringMatching(/^DTSTART;VALUE=DATE:\d{8}$/),
      'SUMMARY:Responder a USCIS: vea su caso',
    ]);
    expect(entry).not.toMatch(/request|evidence|evidencia|lucía/i);
    expect(entry).not.toContain(receipt);

    await page.goto('/settings');
    await heading('Ajustes');
    await look('settings');
    await page.goto(toCase.pathname);
    await press('Pausar los correos');
    await page.getByText('Los correos están en pausa. Los plazos de USCIS siguen corriendo').waitFor();
    await press('Volver a recibir correos');
    await page.getByText('Volveremos a enviarle correos').waitFor();

    await page.goto(pathOf(await inMail(at, email, unsubscribeLink)));
    await heading('¿Dejar de recibir correos sobre sus casos?');
    await look('unsubscribe');
    await press('Dejar de recibir correos');
    await heading('Ya no recibirá correos sobre sus casos');
    await look('unsubscribed');
    await page.getByRole('link', { name: 'Iniciar sesión' }).click();
    await page.goto(toCase.pathname);
    await page.getByText('Los correos sobre sus casos están en pausa').waitFor();

    await page.goto('/data');
    await page.getByText('Eliminar mi cuenta…').click();
    await page.getByText(`Después, ${firm} ya no verá sus casos aquí.`).waitFor();
    await look('delete');
    await page.getByRole('checkbox', { name: /Sí, eliminar mi cuenta/ }).check();
    await press('Eliminar para siempre');
    await heading('Su cuenta se eliminó');
    await look('deleted');
    await page.getByRole('link', { name: 'Ir a la página de inicio' }).click();
    await heading('Siga su caso de USCIS');
    expect(messages.filter((text) => !/status of 40[01]|Cleared data types/.test(text))).toEqual([]);
  });

  it('who lost the verification mail comes to the front page, whose code proves the address, and is told', async () => {
    const { email, receipt } = await watched('Rosa Medina', 'rosa');
    await mailWith(at, email, verifyLink);
    await page.goto('/');
    await signIn(email);
    await heading('Mis casos');
    await setReceipt(at, receipt, evidenceAsked());
    const told = await mailWith(at, email, caseLink);
    expect(told.headers.from).toContain(firm);
  });
});
