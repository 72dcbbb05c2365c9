import type { RequestInput } from '@casewatch/contracts';
import { connectAs, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestNotifier, type TestNotifier } from './support/start-notifier.ts';

describe('a mail that another service asks for', () => {
  let notifier: TestNotifier;
  beforeAll(async () => {
    notifier = await startTestNotifier();
  });
  afterAll(() => notifier.stop());

  const inTenMinutes = () => new Date(Date.now() + 600_000).toISOString();

  function ask(request: RequestInput<'notifier.send'>) {
    return notifier.identity.bus.request('notifier.send', request);
  }

  function codeMail(id: string, to: string, over: { expires_at?: string } = {}) {
    return {
      kind: 'login_code',
      message_id: id,
      to,
      language: 'en',
      expires_at: inTenMinutes(),
      code: '042137',
      ...over,
    } as const;
  }

  async function stored(id: string) {
    return await notifier.db
      .collection<{ _id: string; [field: string]: unknown }>('mails')
      .findOne({ _id: id });
  }

  async function settled(id: string, status: string) {
    return await waitFor(async () => {
      const row = await stored(id);
      return row?.status === status ? row : null;
    });
  }

  it('brings a sign-in code: one six-digit number in its text, and no link', async () => {
    expect(await ask(codeMail('login-00001', 'code@example.org'))).toEqual({ accepted: true });
    const mail = await waitFor(async () => (await notifier.mails('code@example.org'))[0]);
    expect(mail.text.match(/\d{6}/g)).toEqual(['042137']);
    expect(mail.html.match(/\d{6}/g)).toEqual(['042137']);
    expect(mail.text).not.toContain('token=');
    expect(mail.text).toContain('within 10 minutes');
    expect(mail.subject).not.toMatch(/\d/);
    expect(mail.headers['auto-submitted']).toBe('auto-generated');
    expect(mail.headers['list-unsubscribe']).toBeUndefined();
  });

  it('tells somebody that they have an account, without a code or a link', async () => {
    const { code: _code, ...rest } = codeMail('taken-00001', 'taken@example.org');
    await ask({ ...rest, kind: 'address_taken', user_id: 41 });
    const mail = await waitFor(async () => (await notifier.mails('taken@example.org'))[0]);
    expect(mail.subject).toBe('You already have an account');
    expect(mail.text).not.toMatch(/\d{6}|https?:/);
    expect(await settled('taken-00001', 'sent')).toMatchObject({ user_id: 41, sealed: null });
  });

  it('keeps nothing of it once it is sent', async () => {
    expect(await settled('login-00001', 'sent')).toMatchObject({
      sealed: null,
      attempts: 1,
      last_error: null,
    });
  });

  it('is the same mail when it is asked for again', async () => {
    for (let i = 0; i < 3; i += 1) await ask(codeMail('login-00002', 'once@example.org'));
    await settled('login-00002', 'sent');
    await ask(codeMail('login-00002', 'once@example.org'));
    await ask(codeMail('login-00003', 'once@example.org'));
    await settled('login-00003', 'sent');
    expect(await notifier.mails('once@example.org')).toHaveLength(2);
  });

  it('brings the whole verification link on a line of its own', async () => {
    const link = `${notifier.publicUrl}/v1/users/verify-email?token=${'a1B2-'.repeat(20)}`;
    const common = {
      message_id: 'verify-0001',
      to: 'verify@example.org',
      language: 'pt',
      expires_at: inTenMinutes(),
    } as const;
    await ask({ ...common, kind: 'verify_email', link, user_id: 1 });
    const mail = await waitFor(async () => (await notifier.mails('verify@example.org'))[0]);
    expect(mail.text.split(/\r?\n/)).toContain(link);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.subject).toBe('Confirme o seu endereço de e-mail');
  });

  /** A mail with a link to a client of a partner with this name. */
  async function mailOfPartner(to: string, name: string, replyTo: string | null = 'help@santos.example') {
    const link = `${notifier.publicUrl}/v1/users/verify-email?token=${'a1B2-'.repeat(4)}`;
    const partner = {
      name,
      logo_url: 'https://casewatch.example/logos/a.png',
      support_contact: 'help@santos.example',
      reply_to: replyTo,
    };
    const common = { message_id: `verify-${to}`, to, language: 'es', expires_at: inTenMinutes() } as const;
    await ask({ ...common, kind: 'verify_email', link, user_id: 1, partner });
    const mail = await waitFor(async () => (await notifier.mails(to))[0], { what: 'the mail' });
    const raw = (await notifier.rawMail(to)).toString('latin1').split('\r\n\r\n')[0] ?? '';
    const fields = raw.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
    return { mail, fields: new Map(fields.map((field) => [field.split(':')[0]?.toLowerCase(), field])) };
  }

  it('comes from the partner of the reader, with its address for answers', async () => {
    const { mail, fields } = await mailOfPartner('client@example.org', 'Santos & Partners');
    expect(fields.get('from')).toBe('From: "Santos & Partners via Casewatch" <no-reply@casewatch.example>');
    expect(fields.get('reply-to')).toBe('Reply-To: help@santos.example');
    expect(mail.text).toContain('Santos & Partners quiere enviarle las novedades de su caso');
    expect(mail.html).toContain('<img src="https://casewatch.example/logos/a.png"');
    const other = await mailOfPartner('client-2@example.org', 'Santos & Partners', null);
    expect(other.fields.has('reply-to')).toBe(false);
  });

  it.each([
    ['a line break', 'crlf', 'Santos\r\nBcc: victim@example.org\r\n\r\n<b>x</b>'],
    ['an address', 'address', 'Santos <evil@example.org>, x@example.org'],
    ['quotation marks', 'quotes', '"Santos" <evil@example.org> "'],
    ['a folded line', 'fold', 'Santos\n Subject: Another'],
    ['letters from right to left', 'rtl', 'משרד עורכי דין'],
    ['a hundred characters', 'long', 'Abogados de Inmigración Ñandú '.repeat(4).slice(0, 100)],
  ])(
    'has one sender and one recipient, whatever the name of the partner has: %s',
    async (_what, id, name) => {
      const to = `name-${id}@example.org`;
      const { mail, fields } = await mailOfPartner(to, name);
      expect(fields.get('from')).toMatch(/<no-reply@casewatch\.example>$/);
      expect([fields.has('bcc'), fields.get('to')]).toEqual([false, `To: ${to}`]);
      expect(mail.subject).toBe('Confirme su dirección de correo electrónico');
      expect(mail.from).toBe('no-reply@casewatch.example');
      expect(await notifier.mails('victim@example.org')).toEqual([]);
    },
  );

  it('tells a partner why an endpoint fails and when it will be disabled', async () => {
    const mail = { message_id: 'endpoint-0001', to: 'office@example.org', language: 'en' } as const;
    const webhooks = await connectAs(notifier.nats, 'webhooks');
    await webhooks.request('notifier.endpoint_failing', {
      ...mail,
      stage: 'half',
      webhook_id: 12,
      host: 'hooks.example.org',
      description: 'Case manager',
      failing_since: '2026-11-16T09:30:00.000Z',
      disabled_at: '2026-11-21T09:30:00.000Z',
      error: 'http_503',
      expires_at: inTenMinutes(),
    });
    await webhooks.stop();
    const [received] = await waitFor(async () => {
      const mails = await notifier.mails('office@example.org');
      return mails.length > 0 && mails;
    });
    expect(received?.subject).toBe('Your webhook endpoint at hooks.example.org is failing');
    expect(received?.text).toContain('The server answered with status 503.');
    expect(received?.text).toContain('before November 21, 2026 at 09:30 UTC');
    expect(received?.text.split(/\r?\n/)).toContain(`${notifier.publicUrl}/docs`);
    expect(await settled('endpoint-0001', 'sent')).toMatchObject({ user_id: null, sealed: null });
  });

  it.each([
    ['another host', () => 'https://evil.example/confirm'],
    ['our address as a user name', () => `${notifier.publicUrl}@evil.example/confirm`],
  ])('is refused with a link to %s', async (_where, link) => {
    const mail = { message_id: 'foreign-0001', to: 'foreign@example.org', language: 'en' } as const;
    const asked = ask({
      ...mail,
      ...{ kind: 'verify_email', link: link(), user_id: 1, expires_at: inTenMinutes() },
    });
    await expect(asked).rejects.toMatchObject({
      code: 'validation_failed',
      message: 'The link must begin with PUBLIC_URL of the notifier.',
    });
    expect(await stored('foreign-0001')).toBeNull();
  });

  it('waits encrypted, neither address nor code readable in the database', async () => {
    await notifier.mailFault({ mode: 'greylist', to: 'waiting@example.org' });
    await ask(codeMail('login-00004', 'waiting@example.org'));
    const row = await waitFor(async () => {
      const found = await stored('login-00004');
      return found?.last_error ? found : null;
    });
    const sealed = String(row.sealed);
    const readable = JSON.stringify({ ...row, sealed: Buffer.from(sealed, 'base64url').toString('latin1') });
    expect(sealed.length).toBeGreaterThan(50);
    expect(readable).not.toContain('waiting@example.org');
    expect(readable).not.toContain('042137');
    await notifier.mailFault({ mode: 'none' });
  });

  it('is dropped, and forgotten, when it has expired', async () => {
    await ask(
      codeMail('login-00005', 'late@example.org', { expires_at: new Date(Date.now() - 1_000).toISOString() }),
    );
    expect(await settled('login-00005', 'expired')).toMatchObject({ sealed: null, attempts: 0 });
    expect(await notifier.mails('late@example.org')).toEqual([]);
  });

  it('is given up after four tries of a code, and forgotten', async () => {
    await notifier.mailFault({ mode: 'greylist', to: 'never@example.org' });
    await ask(codeMail('login-00006', 'never@example.org'));
    expect(await settled('login-00006', 'failed')).toMatchObject({ sealed: null, attempts: 4 });
    await notifier.mailFault({ mode: 'none' });
  });
});
