import { waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import type { TestNotifier } from '../../support/notifier.ts';
import { makeUser, someAddress, type TestPartner, type WireUser } from '../../support/people.ts';
import { endOf } from '../../support/session-of.ts';
import { requestCode, signIn } from '../../support/sign-in.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});

const path = '/v1/users/undo-email-change';
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const row = (user: WireUser) => identity.db.collection('users').findOne({ _id: user.id as never });
const undo = (token: string) => identity.call('POST', path, { body: { token } });
const moveTo = async (user: WireUser, email = someAddress()) => {
  const body = { email };
  const reply = await identity.call('PUT', `/v1/client/users/${user.id}`, { as: partner.as, body });
  expect(reply.status).toBe(200);
  return email;
};

/** A person who has proven their address by signing in. */
async function proven(fields: Record<string, unknown> = {}) {
  const user = await makeUser(identity, partner, fields);
  return { user, session: await signIn(identity, notifier, user) };
}

/** The token in the mail that tells an address that it was replaced. */
async function tokenSentTo(address: string): Promise<string> {
  const mail = await waitFor(
    () => notifier.sent.findLast(({ kind, to }) => kind === 'address_changed' && to === address),
    { what: 'the mail with the link' },
  );
  const link = new URL('link' in mail ? mail.link : '');
  expect(link.pathname).toBe(path);
  return link.searchParams.get('token') ?? '';
}

describe('undoing a change of address', () => {
  it('is offered to the old address for 7 days, in the person’s language', async () => {
    const { user } = await proven({ preferred_language: 'pt' });
    await moveTo(user);
    await tokenSentTo(user.email);
    const mail = notifier.sent.findLast(({ kind }) => kind === 'address_changed');
    expect(mail).toMatchObject({ to: user.email, language: 'pt', user_id: user.id });
    const days = (Date.parse(mail?.expires_at ?? '') - Date.now()) / 86_400_000;
    expect(Math.abs(days - 7)).toBeLessThan(0.01);
  });

  it('restores the address, as proven as it was, and ends all sessions', async () => {
    const { user } = await proven();
    const before = await row(user);
    const session = await signIn(identity, notifier, user);
    const email = await moveTo(user);
    const { code, requestId } = await requestCode(identity, notifier, email);
    const reply = await undo(await tokenSentTo(user.email));
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      success: true,
      message: expect.any(String),
      undone: true,
      already_undone: false,
    });
    expect(await row(user)).toMatchObject({
      email: user.email,
      email_lower: before?.email_lower,
      email_verified_at: before?.email_verified_at,
    });
    expect(await endOf(identity, session)).toBeInstanceOf(Date);
    // Whoever has the new address gets in neither by a code nor by a link that was under way.
    const body = { email, code, request_id: requestId };
    expect((await identity.call('POST', '/v1/auth/token', { body })).status).toBe(401);
    const mail = await notifier.mailTo(email);
    const verify = notifier.sent.find(({ kind, to }) => kind === 'verify_email' && to === mail.to);
    const link = new URL(verify && 'link' in verify ? verify.link : '');
    expect((await identity.call('GET', link.pathname + link.search)).status).toBe(400);
    expect((await signIn(identity, notifier, user)).sessionId).not.toBe(session.sessionId);
  });

  it('tells the others of it once, and finds it done the second time', async () => {
    const { user } = await proven();
    await moveTo(user);
    const token = await tokenSentTo(user.email);
    const { version } = (await row(user)) as unknown as { version: number };
    const replies = await Promise.all(Array.from({ length: 5 }, () => undo(token)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(replies.filter(({ body }) => body.already_undone === false)).toHaveLength(1);
    expect((await row(user))?.version).toBe(version + 1);
    const events = await identity.db.collection('outbox').find({ type: 'user.updated' }).toArray();
    const last = events
      .map((event) => JSON.parse(String(event.body)).data)
      .findLast((data) => data.user_id === user.id);
    expect(last).toMatchObject({ version: version + 1 });
    const session = await signIn(identity, notifier, user);
    const again = await undo(token);
    expect([again.status, again.body.already_undone]).toEqual([200, true]);
    expect(await endOf(identity, session)).toBeNull();
  });

  it('shows a browser a page with a button, which changes nothing until it is pressed; so does HEAD', async () => {
    const { user } = await proven({ preferred_language: 'es' });
    const email = await moveTo(user);
    const token = await tokenSentTo(user.email);
    const page = await identity.call('GET', `${path}?token=${token}`, { headers: browser });
    expect(page.status).toBe(200);
    expect(page.text).toContain('<html lang="es">');
    expect(page.text).toContain('Volver a usar esta dirección');
    expect(page.text).not.toContain('<script');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const head = await identity.call('HEAD', `${path}?token=${token}`);
    expect(head.status).toBe(200);
    const json = await identity.call('GET', `${path}?token=${token}`);
    expect(json.body).toEqual({ undone: false, message: expect.any(String) });
    expect((await row(user))?.email).toBe(email);

    const form = { token: /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '' };
    const done = await identity.call('POST', path, { form, headers: browser });
    expect(done.status).toBe(200);
    expect(done.text).toContain('El cambio se deshizo');
    expect((await row(user))?.email).toBe(user.email);
  });

  it('takes the token in the query too, as it stands in the link', async () => {
    const { user } = await proven();
    await moveTo(user);
    const token = await tokenSentTo(user.email);
    expect((await identity.call('POST', `${path}?token=${token}`)).status).toBe(200);
    const absent = await identity.call('POST', path, { body: {} });
    expect(absent.body).toMatchObject({ status: 400, errors: [{ pointer: '#/token' }] });
  });

  it('goes back behind later changes, until one of the new addresses is proven', async () => {
    const { user } = await proven();
    await moveTo(user);
    await moveTo(user);
    expect((await undo(await tokenSentTo(user.email))).status).toBe(200);
    expect((await row(user))?.email).toBe(user.email);

    const { user: other } = await proven();
    const second = { ...other, email: await moveTo(other) };
    await signIn(identity, notifier, second);
    const third = await moveTo(second);
    const [first, later] = [await tokenSentTo(other.email), await tokenSentTo(second.email)];
    expect((await undo(first)).body).toMatchObject({ status: 400, code: 'invalid_verification_token' });
    expect((await row(other))?.email).toBe(third);
    expect((await undo(later)).status).toBe(200);
    expect((await row(other))?.email).toBe(second.email);
  });

  it('is not offered to an address that was never proven: it may be anybody’s', async () => {
    const user = await makeUser(identity, partner);
    const email = await moveTo(user);
    await notifier.mailTo(email);
    expect(await identity.db.collection('email_changes').countDocuments({ user_id: user.id })).toBe(0);
  });

  it('refuses a token that is changed, of another purpose, expired, or of somebody deleted', async () => {
    const { user } = await proven();
    const verification = notifier.sent.find(({ kind, to }) => kind === 'verify_email' && to === user.email);
    const other = new URL(verification && 'link' in verification ? verification.link : '').searchParams.get(
      'token',
    );
    await moveTo(user);
    const token = await tokenSentTo(user.email);
    const changed = token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA');
    for (const wrong of [changed, 'nothing', token.split('.')[0] ?? '', other ?? '']) {
      expect((await undo(wrong)).body).toMatchObject({ status: 400, code: 'invalid_verification_token' });
    }
    const page = await identity.call('GET', `${path}?token=${changed}`, {
      headers: { ...browser, 'accept-language': 'pt' },
    });
    expect([page.status, page.text.includes('Este link não funciona mais')]).toEqual([400, true]);
    const changes = identity.db.collection('email_changes');
    await changes.updateOne({ user_id: user.id }, { $set: { expires_at: new Date(Date.now() - 1_000) } });
    expect((await undo(token)).status).toBe(400);
    await identity.call('DELETE', `/v1/client/users/${user.id}`, { as: partner.as });
    expect(await changes.countDocuments({ user_id: user.id })).toBe(0);
  });

  it('is 409 where another user of the partner has the address by now', async () => {
    const { user } = await proven();
    await moveTo(user);
    await makeUser(identity, partner, { email: user.email });
    const token = await tokenSentTo(user.email);
    expect((await undo(token)).body).toMatchObject({ status: 409, code: 'email_already_exists' });
    for (const [language, wayOn] of [
      ['en', 'Sign in with this address to see that account. If you did not make the change and an office'],
      [
        'es',
        'Inicie sesión con esta dirección para ver esa cuenta. Si usted no hizo el cambio y una oficina',
      ],
      [
        'pt',
        'Entre com este endereço para ver essa conta. Se não foi você quem fez a mudança e um escritório',
      ],
    ]) {
      const headers = { ...browser, 'accept-language': String(language) };
      const page = await identity.call('POST', path, { form: { token }, headers });
      expect([page.status, page.headers.get('content-type')?.startsWith('text/html')]).toEqual([409, true]);
      expect(page.text).toContain(wayOn);
    }
  });

  it('keeps nothing secret in the store: the token is not in the row', async () => {
    const { user } = await proven();
    await moveTo(user);
    const mac = (await tokenSentTo(user.email)).split('.')[1] ?? '';
    const rows = await identity.db.collection('email_changes').find({ user_id: user.id }).toArray();
    expect([rows.length, JSON.stringify(rows).includes(mac)]).toEqual([1, false]);
  });
});
