import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTransport, type Transporter } from 'nodemailer';
import { type Sandbox, startSandbox } from '../src/index.ts';
import { call } from './support.ts';

let sandbox: Sandbox;
let transport: Transporter;

const send = (to: string, extra = {}, by = transport) =>
  by.sendMail({
    from: 'Casewatch <no-reply@example.org>',
    to,
    subject: 'Update',
    text: 'Hello',
    ...extra,
  });
const mailsTo = async (to: string) => (await call('GET', `${sandbox.mail_url}/sandbox/mails?to=${to}`)).json;
const fault = (body: unknown) => call('PUT', `${sandbox.mail_url}/sandbox/faults`, body);

beforeAll(async () => {
  sandbox = await startSandbox();
  transport = createTransport({ url: sandbox.smtp_url });
});
afterAll(async () => {
  transport.close();
  await sandbox.stop();
});
beforeEach(async () => {
  await call('DELETE', `${sandbox.mail_url}/sandbox/mails`);
  await fault({ mode: 'none' });
});

describe('a mail', () => {
  it('is caught with its texts decoded and its headers raw and unfolded', async () => {
    const subject = 'Actualización de su caso que termina en 6789, un asunto tan largo que se dobla';
    const headers = { 'X-Repeat': ['one', 'two'], 'Auto-Submitted': 'auto-generated' };
    await send('Ana <ana@example.org>', { subject, html: '<p>¡Hola!</p>', text: '¡Hola!', headers });
    const [mail] = await mailsTo('ANA@example.org');
    expect(mail).toMatchObject({
      to: 'ana@example.org',
      from: 'no-reply@example.org',
      subject,
      html: expect.stringContaining('<p>¡Hola!</p>'),
      text: expect.stringContaining('¡Hola!'),
      received_at: expect.stringMatching(/Z$/),
    });
    expect(mail.headers).toMatchObject({ 'auto-submitted': 'auto-generated', 'x-repeat': 'one\ntwo' });
    expect(mail.headers.subject).toMatch(/^=\?UTF-8\?.*\?=$/);
    expect((await call('GET', `${sandbox.mail_url}/sandbox/mails/${mail.id}`)).json).toEqual(mail);
  });

  it('is listed last when it is the newest, and found by an address with a plus sign', async () => {
    await send('first+tag@example.org');
    await send('second@example.org');
    const { json } = await call('GET', `${sandbox.mail_url}/sandbox/mails`);
    expect(json.map(({ to }: { to: string }) => to)).toEqual(['first+tag@example.org', 'second@example.org']);
    expect(await mailsTo('first+tag@example.org')).toHaveLength(1);
    expect(await mailsTo('first%2Btag@example.org')).toHaveLength(1);
  });

  it('is gone after a clearing', async () => {
    await send('gone@example.org');
    const [{ id }] = await mailsTo('gone@example.org');
    expect((await call('DELETE', `${sandbox.mail_url}/sandbox/mails`)).status).toBe(204);
    expect((await call('GET', `${sandbox.mail_url}/sandbox/mails/${id}`)).json).toEqual({
      error: 'There is no such mail.',
    });
  });

  it('is shown in a frame that may run nothing', async () => {
    await send('page@example.org', { subject: '<i>', html: '<script>alert("x")</script>' });
    const [{ id }] = await mailsTo('page@example.org');
    expect((await call('GET', `${sandbox.mail_url}/`)).text).toContain(
      `<a href="/mails/${id}">&lt;i&gt;</a>`,
    );
    const page = await call('GET', `${sandbox.mail_url}/mails/${id}`);
    expect(page.text).toContain('sandbox srcdoc="&lt;script&gt;alert(&quot;x&quot;)');
  });
});

describe('faults', () => {
  it('reject with 550 and greylist with 451, or with the code given, for one address only', async () => {
    await fault({ mode: 'reject', to: 'bad@example.org' });
    await expect(send('bad@example.org')).rejects.toMatchObject({ responseCode: 550 });
    await expect(send('good@example.org')).resolves.toBeDefined();
    await fault({ mode: 'greylist' });
    await expect(send('good@example.org')).rejects.toMatchObject({ responseCode: 451 });
    await fault({ mode: 'greylist', code: 421 });
    await expect(send('good@example.org')).rejects.toMatchObject({ responseCode: 421 });
    expect(await mailsTo('good@example.org')).toHaveLength(1);
  });

  it('drop the connection after DATA, the mail kept', async () => {
    await fault({ mode: 'drop_after_data', to: 'drop@example.org' });
    await expect(send('drop@example.org')).rejects.toThrow();
    expect(await mailsTo('drop@example.org')).toHaveLength(1);
  });

  it('hang until the client gives up, nothing kept', async () => {
    await fault({ mode: 'hang' });
    const impatient = createTransport({ url: sandbox.smtp_url, socketTimeout: 300 });
    await expect(send('hang@example.org', {}, impatient)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    impatient.close();
    expect(await mailsTo('hang@example.org')).toHaveLength(0);
  });

  it('never come with ratio 0, and are refused when wrong', async () => {
    await fault({ mode: 'reject', ratio: 0 });
    await expect(send('lucky@example.org')).resolves.toBeDefined();
    expect((await fault({ mode: 'reject', code: 200 })).json.error).toContain('code');
  });
});
