import { htmlLanguage } from '@casewatch/contracts';
import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../support/notifier.ts';
import { makeUser, type TestPartner, type WireUser } from '../../support/people.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});

const path = '/v1/users/verify-email';
const program = { accept: 'application/json' };
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function tokenOf(user: WireUser): Promise<string> {
  const mail = await notifier.mailTo(user.email);
  const link = new URL(mail.kind === 'verify_email' ? mail.link : '');
  expect(link.pathname).toBe(path);
  return link.searchParams.get('token') ?? '';
}

const eventsOf = async (user: WireUser, type: string) => {
  const rows = await identity.db.collection('outbox').find({ type }).toArray();
  return rows.map((row) => JSON.parse(String(row.body)).data).filter((data) => data.user_id === user.id);
};

describe('verifying an address', () => {
  it('is done by a GET of a program; repeats find it done', async () => {
    const user = await makeUser(identity, partner);
    const token = await tokenOf(user);
    const first = await identity.call('GET', `${path}?token=${token}`, { headers: program });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      success: true,
      verified: true,
      already_verified: false,
      email_verified_at: expect.stringMatching(/Z$/),
    });
    const again = await identity.call('POST', path, { body: { token } });
    expect(again.body).toEqual({
      ...first.body,
      already_verified: true,
      message: expect.any(String),
    });
    expect(await eventsOf(user, 'user.email_verified')).toEqual([
      {
        user_id: user.id,
        partner_id: partner.as.partner_id,
        status: 'active',
        version: 2,
        email_verified_at: first.body.email_verified_at,
      },
    ]);
  });

  it('happens once if the link is used ten times at the same time', async () => {
    const user = await makeUser(identity, partner);
    const token = await tokenOf(user);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => identity.call('POST', path, { body: { token } })),
    );
    expect(replies.filter((reply) => reply.body.already_verified === false)).toHaveLength(1);
    expect(replies.every((reply) => reply.status === 200)).toBe(true);
    expect(await eventsOf(user, 'user.email_verified')).toHaveLength(1);
  });

  it('shows a browser a page in the user’s language, which changes nothing until its button is pressed', async () => {
    const user = await makeUser(identity, partner, { preferred_language: 'es' });
    const token = await tokenOf(user);
    const page = await identity.call('GET', `${path}?token=${token}`, { headers: browser });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('content-security-policy')).toContain(
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    );
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.text).toContain('<html lang="es">');
    expect(page.text).toContain('Confirmar mi correo electrónico');
    expect(page.text).not.toContain('<script');
    expect(
      (await identity.db.collection('users').findOne({ _id: user.id as never }))?.email_verified_at,
    ).toBeNull();

    const form = { token: /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '' };
    const done = await identity.call('POST', path, { form, headers: browser });
    expect(done.status).toBe(200);
    expect(done.text).toContain('quedó confirmada');
    expect(await eventsOf(user, 'user.email_verified')).toHaveLength(1);
  });

  it('does nothing on HEAD', async () => {
    const user = await makeUser(identity, partner);
    const reply = await identity.call('HEAD', `${path}?token=${await tokenOf(user)}`);
    expect(reply.status).toBe(200);
    expect(await eventsOf(user, 'user.email_verified')).toHaveLength(0);
  });

  it('refuses a token that is changed, of nobody, expired or absent', async () => {
    const user = await makeUser(identity, partner);
    const token = await tokenOf(user);
    const changed = token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA');
    for (const wrong of [changed, 'nothing', token.split('.')[0] ?? '']) {
      const reply = await identity.call('GET', `${path}?token=${wrong}`);
      expect(reply.body).toMatchObject({ status: 400, code: 'invalid_verification_token' });
    }
    expect((await identity.call('GET', path)).body).toMatchObject({ status: 400, code: 'invalid_parameter' });
    const rows = identity.db.collection('email_verifications');
    await rows.updateOne({ user_id: user.id }, { $set: { expires_at: new Date(Date.now() - 1_000) } });
    expect((await identity.call('POST', path, { body: { token } })).status).toBe(400);
  });

  it.each([
    ['en', 'From now on we write to you', 'Your messages are off; you can turn them on in the settings.'],
    [
      'es',
      'Desde ahora le escribiremos',
      'Sus mensajes están desactivados; puede activarlos en los ajustes.',
    ],
    ['pt', 'A partir de agora, escreveremos', 'As suas mensagens estão desativadas; você pode ativá-las nas'],
  ])('promises messages only to whoever gets some (%s)', async (preferred_language, promise, off) => {
    const phone = '+12025550188';
    const people = [
      { fields: {}, says: promise, not: off },
      { fields: { notify_by_email: false, phone, notify_by_whatsapp: true }, says: promise, not: off },
      { fields: { notify_by_email: false }, says: off, not: promise },
    ];
    for (const { fields, says, not } of people) {
      const user = await makeUser(identity, partner, { preferred_language, ...fields });
      const token = await tokenOf(user);
      const pressed = await identity.call('POST', path, { form: { token }, headers: browser });
      const again = await identity.call('GET', `${path}?token=${token}`, { headers: browser });
      for (const { text } of [pressed, again]) {
        expect(text).toContain(says);
        expect(text).not.toContain(not);
      }
    }
  });

  describe('whose link has expired', () => {
    const newLink = `${path}/new-link`;

    async function expiredLink(over = {}) {
      const user = await makeUser(identity, partner, over);
      const token = await tokenOf(user);
      const rows = identity.db.collection('email_verifications');
      await rows.updateOne({ user_id: user.id }, { $set: { expires_at: new Date(Date.now() - 1_000) } });
      return { user, token };
    }

    it.each([
      ['en', 'Send a new link', 'We sent a new link'],
      ['es', 'Enviar un enlace nuevo', 'Le enviamos un enlace nuevo'],
      ['pt', 'Enviar um novo link', 'Enviamos um novo link'],
    ] as const)('shows a browser one button that sends a new link (%s)', async (language, label, sent) => {
      const { user, token } = await expiredLink({ preferred_language: language });
      const page = await identity.call('GET', `${path}?token=${token}`, { headers: browser });
      expect(page.status).toBe(400);
      expect(page.text).toContain(`<html lang="${htmlLanguage[language]}">`);
      expect(page.text.match(/<button type="submit">([^<]+)</)?.[1]).toBe(label);
      const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? '';
      expect(new URL(action, `https://casewatch.example${path}`).pathname).toBe(newLink);
      const form = { token: /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '' };
      const pressed = await identity.call('POST', newLink, { form, headers: browser });
      expect([pressed.status, pressed.text.includes(sent)]).toEqual([200, true]);
      const mail = await waitFor(() => {
        const mails = notifier.sent.filter(({ to }) => to === user.email);
        return mails[1];
      });
      const fresh = new URL(mail.kind === 'verify_email' ? mail.link : '').searchParams.get('token') ?? '';
      expect((await identity.call('POST', path, { body: { token: fresh } })).status).toBe(200);
    });

    it.each(['GET', 'POST'])(
      'says that the address is confirmed, if it is, with a way on (%s)',
      async (method) => {
        const { user, token } = await expiredLink({ preferred_language: 'es' });
        const users = identity.db.collection('users');
        await users.updateOne({ _id: user.id as never }, { $set: { email_verified_at: new Date() } });
        const { status, text } =
          method === 'GET'
            ? await identity.call('GET', `${path}?token=${token}`, { headers: browser })
            : await identity.call('POST', path, { form: { token }, headers: browser });
        expect([status, text.includes('quedó confirmada')]).toEqual([200, true]);
        expect(text).toMatch(/<a href="[^"]+">Iniciar sesión<\/a>/);
        expect(text).not.toContain('<form');
      },
    );

    it('sends one link a minute, and says on a page that the mail is on its way', async () => {
      const { token } = await expiredLink({ preferred_language: 'es' });
      const first = await identity.call('POST', newLink, { body: { token } });
      expect(first.body).toEqual({ success: true, message: expect.any(String), sent: true });
      const again = await identity.call('POST', newLink, { form: { token }, headers: browser });
      expect(again.status).toBe(429);
      expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(again.text).toContain('Le enviamos un correo hace poco');
      const program = await identity.call('POST', newLink, { body: { token } });
      expect(program.body).toMatchObject({ code: 'rate_limited' });
    });

    it('sends no mail for a link of an earlier address, a changed token, or a verified address', async () => {
      const { user, token } = await expiredLink();
      const changed = token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA');
      const refused = await identity.call('POST', newLink, { body: { token: changed } });
      expect(refused.body).toMatchObject({ status: 400, code: 'invalid_verification_token' });
      const users = identity.db.collection('users');
      await users.updateOne({ _id: user.id as never }, { $set: { email_verified_at: new Date() } });
      const verified = await identity.call('POST', newLink, { body: { token } });
      expect(verified.body).toMatchObject({ sent: false, message: expect.stringContaining('already') });
      const rows = identity.db.collection('email_verifications');
      await rows.updateOne({ user_id: user.id }, { $set: { void_at: new Date() } });
      expect((await identity.call('POST', newLink, { body: { token } })).status).toBe(400);
      expect((await identity.call('GET', `${path}?token=${token}`, { headers: browser })).text).toContain(
        'This link no longer works',
      );
    });
  });

  it('tells a browser on a page that a link does not work', async () => {
    const headers = { ...browser, 'accept-language': 'pt-BR,pt;q=0.9' };
    const page = await identity.call('GET', `${path}?token=<script>`, { headers });
    expect(page.status).toBe(400);
    expect(page.text).toContain('Este link não funciona mais');
    expect(page.text).not.toContain('<script>');
  });

  it('keeps nothing secret in the store: the token is not in the row', async () => {
    const user = await makeUser(identity, partner);
    const mac = (await tokenOf(user)).split('.')[1] ?? '';
    const rows = await identity.db.collection('email_verifications').find({ user_id: user.id }).toArray();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(mac);
  });
});
