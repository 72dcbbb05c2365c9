import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, launchChromium, type Page } from '@casewatch/dev/browser';
import { keyHeaders, newReceipt, succeed } from '@casewatch/driver';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { invitationTo } from '../support/staff.ts';
import { sharedSystem } from '../support/system.ts';

const pictures = process.env.PICTURES;

/** A firm's list as its spreadsheet has it, from the file to the cases. The tests run in this order. */
describe('the import of a firm in a browser', () => {
  let browser: Browser;
  let page: Page;
  const messages: string[] = [];
  const unique = Date.now().toString(36);
  const clients = ['Ana Sílva', 'Luis Moreno', 'João Peña'];
  const lines = Array.from({ length: 40 }, (_, i) => {
    const email = i === 7 ? 'luis at example.com' : `client${i % 20}.${unique}@example.com`;
    return `${newReceipt()};${clients[(i % 20) % 3]};${email};${i === 11 ? '' : 'sí'};2024-${i};Miami`;
  });
  const file = ['Número de recibo;Nombre;Correo;uscis_access_acknowledged;Expediente;Foro', ...lines].join(
    '\r\n',
  );

  beforeAll(async () => {
    const system = await sharedSystem();
    const at = system.dev();
    const firm = await newPartner(system.dataDir, 'Moving Law');
    const email = `moving.${unique}@firm.example`;
    const body = { email, name: 'Paula Reyes', role: 'editor' };
    await succeed(at, 'POST', { as: keyHeaders(firm), path: '/v1/client/staff', body });
    browser = await launchChromium();
    const context = await browser.newContext({
      baseURL: at.gateway_url,
      viewport: { width: 1_300, height: 900 },
    });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => messages.push(error.message));
    await page.goto(`/console/invitation?token=${await invitationTo(at, email)}`);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.waitForURL('**/console');
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function picture(name: string): Promise<void> {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  }

  it('shows the faults of the file in their cells', async () => {
    await page.goto('/console/cases');
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByLabel('File').setInputFiles({
      name: 'clientes.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(file, 'latin1'),
    });
    await picture('import-1-file');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('2 cells with a fault').waitFor();
    await page.getByText('luis at example.com').waitFor();
    await picture('import-2-check');
  });

  it('leaves alone what is dropped and is no file', async () => {
    await page.goto('/console/imports');
    const isTaken = await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/plain', 'receipt_number');
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      return !document.body.dispatchEvent(event);
    })()`);
    expect(isTaken).toBe(false);
    expect(new URL(page.url()).pathname).toBe('/console/imports');
  });

  it('takes a file that is dropped anywhere on the page', async () => {
    await page.goto('/console/imports');
    // As the file manager hands it over: the first of two, because the form takes one.
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(file)}], 'clientes.csv', { type: 'text/csv' }));
      data.items.add(new File(['other'], 'other.csv', { type: 'text/csv' }));
      return data;
    })()`);
    for (const type of ['dragover', 'drop'])
      await page.locator('h1').dispatchEvent(type, { dataTransfer: dropped });
    await page.getByText('2 cells with a fault').waitFor();
    await page.getByText('luis at example.com').waitFor();
  });

  it('imports after the number of rows is typed, and moves by itself to the end', async () => {
    await page.getByLabel(/Type 40/).fill('39');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Type 40, the number of rows, to confirm the acknowledgement.').waitFor();
    await page.getByLabel(/Type 40/).fill('40');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.waitForURL('**/console/imports/*');
    // Nobody reloads the page.
    await page.getByText('40 of 40 rows').waitFor({ timeout: 120_000 });
    await page.getByRole('link', { name: 'Refused rows as CSV' }).waitFor();
    await page.getByText('20 people of this import have not proven their address').waitFor();
    await picture('import-3-done');
    expect(messages).toEqual([]);
  });

  it('sends them the mails that ask for it, once', async () => {
    await page.getByRole('button', { name: 'Send it now to 20' }).click();
    await page.getByText('20 e-mails are on the way.').waitFor();
    await page.getByText('0 of them got no e-mail').waitFor();
    expect(await page.getByRole('button', { name: /Send it now/ }).count()).toBe(0);
    await picture('import-4-sent');
  });
});
