import {
  bearer,
  codePattern,
  createPartner,
  inMail,
  keyHeaders,
  loginCode,
  mailsTo,
  refreshTokens,
  send,
  type Tokens,
  tell,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { createPersonBrowser } from '../support/person-browser.ts';
import { invitationTo } from '../support/staff.ts';
import { appCode } from '../support/totp.ts';
import { everythingStored, logNoSlowCommands, type Place } from '../support/everything-stored.ts';
import { type DevFile, describeOwnSystem, type System, sharedSystemOfProcesses } from '../support/system.ts';

/** Something that must stand nowhere in clear, but where `mayStandIn` says. */
type Secret = { what: string; value: string; mayStandIn?: readonly string[] };

/** identity alone knows addresses (architecture.md §3), and what it keeps of them ends with the person. */
const addressBooks = [
  'identity.users',
  'identity.login_challenges',
  'identity.email_verifications',
  'identity.verification_reminders',
  'identity.email_changes',
  'identity.email_change_links',
  'identity.address_requests',
];
/** The events of a partner's webhook, with the user as the partner sees them. */
const toldToPartner = ['webhooks.events'];

let system: System;
let dev: DevFile;
const secrets: Secret[] = [];
const stored: Place[][] = [];

const secret = (what: string, value: string) => secrets.push({ what, value });
const address = (value: string) => {
  secrets.push({ what: 'e-mail address', value, mayStandIn: [...addressBooks, ...toldToPartner] });
  return value;
};
const post = (path: string, body: unknown, token?: string) =>
  send(dev, 'POST', { path, body, ...(token !== undefined && { as: bearer(token) }) });

beforeAll(async () => {
  system = await sharedSystemOfProcesses();
  dev = system.dev();
  await logNoSlowCommands(system);
  secret("a partner's secret", dev.partner.api_secret);
});

/** The way of a person whose partner signs them up: link, code, verify, tokens, refresh. */
async function joinAndSignIn(email: string): Promise<{ id: number; tokens: Tokens }> {
  const created = await send(dev, 'POST', {
    as: keyHeaders(dev.partner),
    path: '/v1/client/users',
    body: { email, name: 'Clara Nowhere', phone: '+12025550147' },
    headers: { 'idempotency-key': 'nothing-in-clear' },
  });
  expect(created.status).toBe(201);
  const link = await inMail(dev, email, /(\S+\/v1\/users\/verify-email\?token=\S+)/);
  await noteToken('the token of a verification link', link);
  expect((await fetch(link, { headers: { accept: 'application/json' } })).status).toBe(200);
  return { id: (created.body.user as { id: number }).id, tokens: await signIn(email) };
}

async function signIn(email: string): Promise<Tokens> {
  const guess = await loginCode(dev, email);
  secret('a login code', guess.code);
  expect((await post('/v1/auth/login-code/verify', guess)).status).toBe(200);
  const issued = await post('/v1/auth/token', guess);
  expect(issued.status).toBe(200);
  return noteTokens(issued.body as unknown as Tokens);
}

function noteTokens(tokens: Tokens): Tokens {
  secret('an access token', tokens.access_token);
  secret('the signature of an access token', tokens.access_token.split('.')[2] ?? '');
  secret('a refresh token', tokens.refresh_token);
  secret('the MAC of a refresh token', tokens.refresh_token.split('.')[2] ?? '');
  return tokens;
}

/** A revocation takes up to two seconds to reach a gateway. */
async function revoked(id: number, { access_token }: Tokens): Promise<void> {
  await waitFor(async () => {
    const { status, body } = await send(dev, 'GET', { as: bearer(access_token), path: `/v1/users/${id}` });
    return status === 401 && body.code === 'token_revoked';
  });
}

/** The whole token, and its secret half. */
async function noteToken(what: string, link: string): Promise<string> {
  const token = new URL(link).searchParams.get('token') ?? '';
  secret(what, token);
  secret(`the MAC of ${what}`, token.split('.')[1] ?? '');
  return token;
}

describeOwnSystem('codes, tokens, keys and addresses', () => {
  it('serve for sign-in, refresh, a changed address and its undoing, log out', async () => {
    const hook = await createPartner(dev, dev.partner).newWebhook('clear', ['*']);
    secret('the secret of a webhook', hook.secret);
    const email = address('clara.nowhere@clear.example');
    const { id, tokens } = await joinAndSignIn(email);
    secret('what somebody searched for', 'Zwölftonmusik');
    secret('what somebody searched for, folded', 'zwolftonmusik');
    for (const q of ['Zw%C3%B6lftonmusik', encodeURIComponent(email), 'clara'])
      for (const path of [`/v1/client/cases?q=${q}`, `/v1/client/users?name=${q}`])
        expect((await send(dev, 'GET', { as: keyHeaders(dev.partner), path })).status).toBe(200);
    const fresh = noteTokens((await refreshTokens(dev, tokens)).body);
    const moved = address('clara.elsewhere@clear.example');
    const body = { email: moved };
    const as = bearer(fresh.access_token);
    const changed = await send(dev, 'PUT', { as, path: `/v1/users/${id}`, body });
    expect(changed.status).toBe(200);
    const link = await inMail(dev, email, /(\S+\/v1\/users\/undo-email-change\?token=\S+)/);
    const token = await noteToken('the token of an undo link', link);
    expect((await post('/v1/users/undo-email-change', { token })).status).toBe(200);
    await revoked(id, fresh);
    const again = await signIn(email);
    expect((await post('/v1/auth/logout', { all_sessions: true }, again.access_token)).status).toBe(200);
    await revoked(id, again);
    await post('/v1/users', { email: address('typed.by.anybody@clear.example'), name: 'Typed Byanybody' });
    secret('a name that somebody typed', 'Typed Byanybody');
  });

  it('serve a member of staff: the second factor, its recovery codes, the token of the step and the session', async () => {
    const firm = await newPartner(system.dataDir, 'Clear Law');
    const byFirm = (method: string, path: string, body: object) =>
      send(dev, method, { as: keyHeaders(firm), path, body });
    expect((await byFirm('PUT', '/v1/client/profile', { second_factor: 'all' })).status).toBe(200);
    const email = 'member.nowhere@clear.example';
    await byFirm('POST', '/v1/client/staff', { email, name: 'Member', role: 'viewer' });
    const browser = createPersonBrowser(dev);
    await browser.post('/console/invitation', { token: await invitationTo(dev, email) });
    const step = '/console/sign-in/second-factor';
    const noteStep = () =>
      secret('the token of a step', browser.cookies.get('staff-sign-in-step')?.split('.')[1] ?? '');
    noteStep();
    const shown = /<code class="key">([A-Z2-7 ]+)</.exec((await browser.get(step)).text)?.[1] ?? '';
    const key = shown.replaceAll(' ', '');
    secret('the key of a second factor', key);
    secret('the key of a second factor, in groups', shown);
    const { text } = await browser.post(step, { code: appCode(key) });
    const codes = (/<code class="codes">([^<]*)</.exec(text)?.[1] ?? '').split('\n');
    expect([key.length, codes.length]).toEqual([32, 10]);
    for (const code of codes) {
      secret('a recovery code', code);
      secret('a recovery code, as it may be typed', code.replace('-', ''));
    }
    await browser.post('/console/sign-in', { email });
    const code = await inMail(dev, email, codePattern);
    await browser.post('/console/sign-in/code', { email, code });
    noteStep();
    const entered = await browser.post(step, { recovery_code: codes[0] ?? '' });
    expect([entered.status, entered.location]).toEqual([303, '/console']);
    secret('the token of a session', browser.cookies.get('staff') ?? '');
  });

  it('also stand in mails that cannot be sent yet', async () => {
    const email = 'clara.nowhere@clear.example';
    await tell(`${dev.mail_url}/sandbox/faults`, { mode: 'greylist', code: 451, to: email });
    const before = (await mailsTo(dev, email)).length;
    await post('/v1/auth/login-code', { email });
    const waiting = async () => {
      const places = await everythingStored(system);
      const mails = JSON.parse(places.find(({ name }) => name === 'notifier.mails')?.text ?? '[]');
      const isWaiting = (mails as { kind: string; attempts: number; sealed: string | null }[]).some(
        ({ kind, attempts, sealed }) => kind === 'login_code' && attempts > 0 && sealed !== null,
      );
      return isWaiting && places;
    };
    stored.push(await waitFor(waiting, { timeoutMs: 30_000, intervalMs: 200, what: 'a mail that waits' }));
    await tell(`${dev.mail_url}/sandbox/faults`, { mode: 'none' });
    const sent = await waitFor(async () => (await mailsTo(dev, email))[before], { timeoutMs: 90_000 });
    secret('a login code that waited', codePattern.exec(sent.text ?? '')?.[1] ?? '');
  });

  it('are refused where they are taken, even if they are requested at the same time', async () => {
    const partner = createPartner(dev, dev.partner);
    const taken = address('clara.nowhere@clear.example');
    const user = { email: taken, name: 'Another Nowhere', send_verification: false };
    expect((await partner.call('POST', '/v1/client/users', user)).status).toBe(409);
    const email = address('clara.twice@clear.example');
    const twice = { ...user, email };
    const made = await Promise.all([1, 2, 3, 4].map(() => partner.call('POST', '/v1/client/users', twice)));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const users = made.flatMap(({ body }) => (body.user ? [body.user as { id: number }] : []));
    expect((await partner.call('PUT', `/v1/client/users/${users[0]?.id}`, { email: taken })).status).toBe(
      409,
    );
  });

  it('stand nowhere in clear: not in a collection, a stream or a log', async () => {
    stored.push(await everythingStored(system));
    const found = stored
      .flat()
      .flatMap((place) =>
        secrets
          .filter(
            ({ value, mayStandIn = [] }) => !mayStandIn.includes(place.name) && stands(value, place.text),
          )
          .map(({ what }) => ({ what, where: place.name })),
      );
    expect(found).toEqual([]);
  });

  it('go with nothing that somebody typed: no mail about an account has a name', async () => {
    for (const to of ['clara.nowhere@clear.example', 'typed.by.anybody@clear.example']) {
      const mails = await waitFor(async () => {
        const found = await mailsTo(dev, to);
        return found.length > 0 && found;
      });
      for (const { subject, text, html } of mails) {
        expect(subject + text + html).not.toMatch(/Clara|Nowhere|Typed|Byanybody/);
      }
    }
  });

  it('would be found: what may be told is where it should be', () => {
    const text = (pattern: RegExp) =>
      (stored.at(-1) ?? [])
        .filter(({ name }) => pattern.test(name))
        .map((place) => place.text)
        .join('\n');
    expect(secrets.map(({ value }) => value.length).every((length) => length >= 6)).toBe(true);
    expect(text(/^identity\.users$/)).toContain('clara.nowhere@clear.example');
    expect(text(/^stream .*IDENTITY/)).toContain('user.updated');
    expect(text(/^log gateway/)).toContain('request_id');
    expect(text(/^log mongod/)).toContain('Waiting for connections');
    expect(text(/^log nats/)).toContain('Server is ready');
    expect(text(/^identity\.sessions$/)).toContain('generation');
    expect(text(/^identity\.second_factors$/)).toContain('sealed_key');
  });
});

/** Six digits are a code only where they stand alone: in a time, an id or a hash they are none. */
function stands(value: string, text: string): boolean {
  return /^\d{6}$/.test(value)
    ? new RegExp(`(?<![\\w.-])${value}(?![\\w.-])`).test(text)
    : text.includes(value);
}
