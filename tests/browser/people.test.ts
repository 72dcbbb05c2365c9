import { type Browser, type BrowserContext, launchChromium, type Page } from '@casewatch/dev/browser';
import {
  codePattern,
  createPartner,
  inMail,
  mailsTo,
  newReceipt,
  type Partner,
  received,
  setReceipt,
  titled,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codesSent } from '../support/person-browser.ts';
import { readCase } from '../support/read-case.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

describe('pages for people, on a phone without script', () => {
  let at: DevFile;
  let partner: Partner;
  let browser: Browser | undefined;
  let context: BrowserContext;
  let page: Page;
  let user: { id: number; email: string };
  let receipt: string;
  let caseId: number;
  const messages: string[] = [];

  beforeAll(async () => {
    at = (await sharedSystem()).dev();
    partner = createPartner(at, at.partner);
    user = await partner.verifiedUser({ name: 'María Silva', preferred_language: 'es' });
    receipt = newReceipt();
    await setReceipt(at, receipt, received);
    caseId = (await partner.newCase(user.id, receipt, { description: 'Permiso de trabajo' })).id;
    browser = await launchChromium();
    context = await browser.newContext({
      baseURL: at.gateway_url,
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
      locale: 'es-MX',
    });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => messages.push(message.text()));
  });
  afterAll(async () => {
    await browser?.close();
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click();

  const updates = (count: number) =>
    waitFor(async () => (await readCase(partner.call, caseId)).update_count === count, {
      what: `${count} status updates`,
    });

  async function signIn(on: Page, email: string): Promise<void> {
    await on.goto('/');
    await on.getByLabel('Su correo electrónico').fill(email);
    const nth = await codesSent(at, email);
    await on.getByRole('button', { name: 'Continuar' }).click();
    await on.getByRole('heading', { name: 'Revise su correo' }).waitFor();
    await on.getByLabel('Código').fill(await inMail(at, email, codePattern, { nth }));
    await on.getByRole('button', { name: 'Iniciar sesión' }).click();
    await on.getByRole('heading', { name: 'Mis casos' }).waitFor();
  }

  it("a frightened person's evening: code, my case, its meaning, and no more e-mails tonight", async () => {
    await setReceipt(at, receipt, {
      ...titled('Request for Initial Evidence Was Sent'),
      text_es: 'Se envió una solicitud de evidencia inicial',
    });
    await updates(2);
    await signIn(page, user.email);
    await page.getByText('Hay algo que usted debe hacer.').waitFor();
    await follow('Permiso de trabajo');
    await page.getByRole('heading', { name: 'Qué significa' }).waitFor();
    await page.getByRole('heading', { name: 'Qué hacer' }).waitFor();
    expect(await page.title()).toMatch(/^Su caso · /);
    const words = page.locator('blockquote').first();
    expect(await words.getAttribute('lang')).toBe('es');
    expect(await words.textContent()).toContain('Se envió una solicitud de evidencia inicial');
    await press('Pausar los correos');
    await page.getByText('Los correos están en pausa. Los plazos de USCIS siguen corriendo').waitFor();
    const told = (await mailsTo(at, user.email)).length;
    await setReceipt(at, receipt, titled('Response To USCIS Request For Evidence Was Received'));
    await updates(3);
    expect((await mailsTo(at, user.email)).length).toBe(told);
    await press('Volver a recibir correos');
    await page.getByText('Volveremos a enviarle correos').waitFor();
    expect(messages).toEqual([]);
  });

  it('a person adds a case, pauses it, resumes it and removes it', async () => {
    const added = newReceipt();
    await setReceipt(at, added, received);
    await page.goto('/cases');
    await follow('Agregar un caso');
    await page.getByLabel('Número de recibo').fill('EAC12');
    await page.getByLabel('Un nombre para este caso (opcional)').fill('Residencia');
    await page.getByRole('checkbox', { name: /Este es mi caso/ }).check();
    await press('Agregar el caso');
    await page.getByText('Un número de recibo tiene tres letras y diez números.').waitFor();
    await page.getByLabel('Número de recibo').fill(added);
    await press('Agregar el caso');
    await page.getByText('Agregamos el caso.').waitFor();
    await press('Pausar este caso');
    await page.getByText('Este caso quedó en pausa.').waitFor();
    await press('Volver a consultar este caso');
    await page.getByText('Volvemos a consultar este caso').waitFor();
    await page.getByText('Quitar este caso de mi lista').click();
    await press('Sí, quitarlo');
    await page.getByText('Quitamos el caso de su lista').waitFor();
    expect(await page.getByRole('link', { name: 'Residencia' }).count()).toBe(0);
  });

  it('a page that is open when the session ends shows nothing more, and neither does the back button', async () => {
    const withScript = await browser?.newContext({ baseURL: at.gateway_url, locale: 'es-MX' });
    const [tab, left] = [await withScript?.newPage(), await withScript?.newPage()];
    if (!tab || !left) throw new Error('no browser');
    await signIn(tab, user.email);
    await left.goto('/cases');
    await tab.getByRole('button', { name: 'Cerrar sesión' }).click();
    await tab.waitForURL('**/signed-out');
    await tab.goBack();
    for (const page of [tab, left]) {
      await page.getByLabel('Su correo electrónico').waitFor();
      expect(await page.getByText('Permiso de trabajo').count()).toBe(0);
    }
  });

  it('a person changes the settings, takes a copy of the data and deletes the account', async () => {
    await page.goto('/settings');
    await page.getByRole('textbox', { name: 'Número de teléfono' }).fill('123');
    await press('Guardar');
    await page.getByText('Escriba el número con + y el código del país.').waitFor();
    await page.getByRole('textbox', { name: 'Número de teléfono' }).fill('+12025550123');
    await page.getByRole('checkbox', { name: /Quiero recibir mensajes de WhatsApp/ }).check();
    await press('Guardar');
    await page.getByText('Cambios guardados.').waitFor();
    await page.getByLabel('Nuevo correo electrónico').fill(`new.${user.email}`);
    await press('Cambiar la dirección');
    await page.getByText('Enviamos un enlace a la nueva dirección.').waitFor();
    await page.goto('/data');
    const saving = page.waitForEvent('download');
    await follow('Descargar mis datos');
    const copy = await (await saving).createReadStream().then((stream) => stream.toArray());
    expect(Buffer.concat(copy).toString()).toContain(receipt);
    await page.getByText('Eliminar mi cuenta…').click();
    await page.getByRole('checkbox', { name: /Sí, eliminar mi cuenta/ }).check();
    await press('Eliminar para siempre');
    await page.getByRole('heading', { name: 'Su cuenta se eliminó' }).waitFor();
    await page.goBack();
    expect(await page.getByText('Descargar mis datos').count()).toBe(0);
  });
});
