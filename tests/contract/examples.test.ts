import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OperationName, operations } from '@casewatch/contracts';
import {
  type Ask,
  approved,
  bearer,
  codePattern,
  inMail,
  keyHeaders,
  loginCode,
  newPartner,
  operator,
  type PartnerWithKey,
  received,
  send,
  setFaults,
  setReceipt,
  signIn,
  succeed,
  verifyByMail,
} from '@casewatch/driver';
import { connectMongo } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DevFile, describeOwnSystem, type System, startSystem } from '../support/system.ts';
import { createRecorder } from './examples/recorder.ts';
import { noId } from './examples/stand-ins.ts';

type Row = { id: number };
type User = Row & { email: string };

const ana = {
  email: 'ana.silva@example.com',
  name: 'Ana Silva',
  phone: '+12025551101',
  preferred_language: 'pt',
};
const luis = { email: 'luis.moreno@example.com', name: 'Luis Moreno', preferred_language: 'es' };
const grace = { email: 'grace.okafor@example.com', name: 'Grace Okafor' };
const marta = { email: 'marta.kowalska@example.com', name: 'Marta Kowalska' };
const sofia = { email: 'sofia.herrera@example.com', name: 'Sofía Herrera', preferred_language: 'es' };
const joao = { email: 'joao.pereira@example.com', name: 'João Pereira', preferred_language: 'pt' };

const users = '/v1/client/users';
const token = '/v1/auth/token';
const keys = '/v1/client/keys';
const webhooks = '/v1/webhooks';
const undo = '/v1/users/undo-email-change';
const verify = '/v1/users/verify-email';
const unsubscribe = '/v1/unsubscribe';
const oneClick = { 'List-Unsubscribe': 'One-Click' };

const verifyLink = /\/v1\/users\/verify-email\?token=([^\s>)]+)/;
const undoLink = /\/v1\/users\/undo-email-change\?token=([^\s>)]+)/;
const unsubscribeLink = /\/v1\/unsubscribe\?token=([^\s>)]+)/;

const receiptOf = (nth: number) => `EAC99${String(nth).padStart(8, '0')}`;
const newCase = (receipt_number: string, more = {}) => ({
  receipt_number,
  uscis_access_acknowledged: true,
  ...more,
});

/** One law firm and its clients, from the first key to the last deletion. The tests run in this order. */
describeOwnSystem('each example of the documents is what the system answers:', () => {
  let system: System;
  let dev: DevFile;
  let firm: PartnerWithKey;
  let as: Record<string, string>;
  let recorder: ReturnType<typeof createRecorder>;
  let anaId: number;
  let asAna: Record<string, string>;
  let webhookId: number;
  let caseId: number;
  beforeAll(async () => {
    // Low enough that a limit is reached soon.
    system = await startSystem({ RATE_LIMIT_SCALE: '10' });
    dev = system.dev();
    firm = await newPartner(system.dataDir, 'Demo Law Firm');
    as = keyHeaders(firm);
    recorder = createRecorder(dev);
  }, 180_000);
  afterAll(async () => {
    await system.stop();
  }, 60_000);

  const shows = (name: OperationName, ask: Ask) => recorder.shows(name, ask);
  const setUp = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    succeed<T>(dev, method, { as, path, body });
  const newUser = async (person: object) => (await setUp<{ user: User }>('POST', users, person)).user;

  async function session(email: string) {
    const { access_token, user } = await signIn<User>(dev, email);
    return { id: user.id, as: bearer(access_token) };
  }

  it('users and their addresses', async () => {
    const created = await shows('create_partner_user', { as, path: users, body: ana });
    anaId = (created.user as Row).id;
    await recorder.fails('create_partner_user', 'email_already_exists', { as, path: users, body: ana });
    await inMail(dev, ana.email, verifyLink);
    await shows('resend_partner_verification', {
      as,
      path: `${users}/resend-verification`,
      body: { email: ana.email },
    });
    await shows('verify_email_link', {
      path: `${verify}?token=${await inMail(dev, ana.email, verifyLink, { nth: 1 })}`,
    });
    await recorder.fails('verify_email_link', 'invalid_verification_token', {
      path: `${verify}?token=not-a-token`,
    });

    await shows('create_user', { as, path: '/v1/users', body: luis });
    await shows('create_user', { path: '/v1/users', body: sofia });
    await inMail(dev, luis.email, verifyLink);
    await shows('resend_verification', {
      as,
      path: '/v1/users/resend-verification',
      body: { email: luis.email },
    });
    const verifyLuis = { token: await inMail(dev, luis.email, verifyLink, { nth: 1 }) };
    await shows('verify_email_button', { path: verify, body: verifyLuis });
    await recorder.fails('verify_email_button', 'invalid_verification_token', {
      path: verify,
      body: { token: 'not-a-token' },
    });

    await shows('get_partner_user', { as, path: `${users}/${anaId}` });
    await recorder.fails('get_partner_user', 'user_not_found', { as, path: `${users}/${noId}` });
    await shows('list_partner_users', { as, path: `${users}?email=${encodeURIComponent(ana.email)}` });
    await shows('get_profile', { as, path: '/v1/client/profile' });
    await shows('update_logo', {
      as,
      path: '/v1/client/logo',
      body: { logo_url: 'https://www.example.com/logo.png' },
    });
  }, 60_000);

  it('sign-in', async () => {
    const email = ana.email;
    const { request_id } = await shows('request_login_code', {
      path: '/v1/auth/login-code',
      body: { email },
    });
    const body = { email, code: await inMail(dev, email, codePattern), request_id };
    await shows('verify_login_code', { path: '/v1/auth/login-code/verify', body });
    const { access_token } = await shows('issue_token', { path: token, body });
    asAna = bearer(access_token as string);
    await shows('get_user', { as: asAna, path: `/v1/users/${anaId}` });
    await shows('list_users', { as: asAna, path: '/v1/users' });
    await shows('log_out', { as: (await session(luis.email)).as, path: '/v1/auth/logout', body: {} });
  }, 60_000);

  it('sign-ins that fail', async () => {
    const wrong = { ...(await loginCode(dev, luis.email)), code: '000000' };
    await recorder.fails('verify_login_code', 'invalid_login_code', {
      path: '/v1/auth/login-code/verify',
      body: wrong,
    });
    for (let tries = 1; tries < 5; tries++) await send(dev, 'POST', { path: token, body: wrong });
    await recorder.fails('issue_token', 'too_many_login_attempts', { path: token, body: wrong });
    await recorder.fails('issue_token', 'invalid_refresh_token', {
      path: token,
      body: { grant_type: 'refresh_token', refresh_token: 'not-a-refresh-token' },
    });

    const { refresh_token } = await signIn(dev, luis.email);
    const refresh = { path: token, body: { grant_type: 'refresh_token', refresh_token } };
    const next = await succeed<{ refresh_token: string }>(dev, 'POST', refresh);
    await succeed(dev, 'POST', { path: token, body: { ...refresh.body, refresh_token: next.refresh_token } });
    await recorder.fails('issue_token', 'refresh_token_reused', refresh);

    const other = keyHeaders(await newPartner(system.dataDir, 'Other Law Firm'));
    await succeed(dev, 'POST', { as: other, path: users, body: luis });
    const third = await inMail(dev, luis.email, verifyLink, { nth: 2 });
    await succeed(dev, 'GET', { path: `${verify}?token=${third}` });
    await recorder.fails('issue_token', 'user_selection_required', {
      path: token,
      body: await loginCode(dev, luis.email),
    });

    const { id } = await newUser(marta);
    await verifyByMail(dev, marta.email);
    const ofMarta = await loginCode(dev, marta.email);
    await operator(system.dataDir, 'user', 'suspend', '--user', String(id));
    await recorder.fails('issue_token', 'account_suspended', { path: token, body: ofMarta });
  }, 120_000);

  it('API keys', async () => {
    const own = `${keys}/${firm.key_id}`;
    await recorder.fails('revoke_key', 'last_key', { as, path: own });
    const body = { name: 'Web server', allowed_ips: ['127.0.0.0/8'] };
    const { key } = await shows('create_key', { as, path: keys, body });
    const created = `${keys}/${(key as Row).id}`;
    await shows('list_keys', { as, path: `${keys}?limit=2` });
    await recorder.fails('create_key', 'key_limit_reached', {
      as,
      path: keys,
      body: { name: 'Third server' },
    });
    const rotated = await shows('rotate_key', {
      as,
      path: `${created}/rotate`,
      body: { overlap_seconds: 0 },
    });
    await recorder.fails('rotate_key', 'key_not_found', { as, path: `${keys}/${noId}/rotate`, body: {} });
    await shows('revoke_key', { as, path: `${keys}/${(rotated.key as Row).id}` });
  }, 60_000);

  it('webhook endpoints', async () => {
    const body = {
      url: `${dev.receiver_url}/hooks/examples`,
      events: ['case.created', 'case.status_updated'],
      description: 'Production',
    };
    const { webhook } = await shows('create_webhook', { as, path: webhooks, body });
    webhookId = (webhook as Row).id;
    await recorder.fails('create_webhook', 'webhook_url_not_allowed', {
      as,
      path: webhooks,
      body: { ...body, url: 'https://10.0.0.1/casewatch' },
    });
    await shows('get_webhook', { as, path: `${webhooks}/${webhookId}` });
    await recorder.fails('get_webhook', 'webhook_not_found', { as, path: `${webhooks}/${noId}` });
    await shows('list_webhooks', { as, path: webhooks });
    const { webhook: second } = await setUp<{ webhook: Row }>('POST', webhooks, body);
    await shows('update_webhook', { as, path: `${webhooks}/${second.id}`, body: { active: false } });
    await shows('delete_webhook', { as, path: `${webhooks}/${second.id}` });
    for (let count = 1; count < 20; count++) await setUp('POST', webhooks, { ...body, active: false });
    await recorder.fails('create_webhook', 'webhook_limit_reached', { as, path: webhooks, body });
  }, 60_000);

  it('cases', async () => {
    const casesOfAna = `/v1/users/${anaId}/cases`;
    await shows('update_user', { as: asAna, path: `/v1/users/${anaId}`, body: { notify_by_whatsapp: true } });
    for (const nth of [1, 2, 3]) await setReceipt(dev, receiptOf(nth), received);
    await shows('check', { as, path: '/v1/check', body: { receipt_number: receiptOf(1) } });
    const body = newCase(receiptOf(1), { description: 'I-130 of the family' });
    const created = await shows('create_partner_case', { as, path: `${users}/${anaId}/cases`, body });
    caseId = (created.case as Row).id;
    const second = newCase(receiptOf(2), { description: 'I-485 of the spouse' });
    const { case: ownCase } = await shows('create_case', { as: asAna, path: casesOfAna, body: second });
    const own = `${casesOfAna}/${(ownCase as Row).id}`;
    await shows('update_case', { as, path: own, body: { active: false } });
    await recorder.fails('create_partner_case', 'case_already_monitored', {
      as,
      path: `${users}/${anaId}/cases`,
      body,
    });
    await shows('delete_case', { as: asAna, path: own });
    await recorder.fails('delete_case', 'case_not_found', { as: asAna, path: `${casesOfAna}/${noId}` });
    await isChecked(caseId);
    await shows('list_partner_cases', { as, path: `/v1/client/cases?user_id=${anaId}` });
    await shows('list_cases', { as: asAna, path: casesOfAna });

    await setReceipt(dev, receiptOf(1), approved);
    await isNotified(caseId);
    await shows('get_partner_case', { as, path: `/v1/client/cases/${caseId}` });
    await shows('get_case', { as: asAna, path: `${casesOfAna}/${caseId}` });
    const deliveries = `${webhooks}/${webhookId}/deliveries?event=case.created`;
    await waitFor(
      async () =>
        (await setUp<{ deliveries: { status: string }[] }>('GET', deliveries)).deliveries.every(
          ({ status }) => status === 'delivered',
        ),
      { what: 'the deliveries' },
    );
    await shows('list_deliveries', {
      as,
      path: `${webhooks}/${webhookId}/deliveries?event=case.created&limit=1`,
    });
  }, 120_000);

  type CaseRead = { monitoring: { next_check_at: string | null }; status_updates: Record<string, unknown>[] };
  const readCase = (id: number) => setUp<CaseRead>('GET', `/v1/client/cases/${id}`);

  async function isChecked(id: number) {
    await waitFor(async () => (await readCase(id)).monitoring.next_check_at, { what: 'the next check' });
  }

  async function isNotified(id: number) {
    await waitFor(
      async () => {
        const [update] = (await readCase(id)).status_updates;
        return update?.email_notify_status === 'sent' && update.whatsapp_notify_status === 'delivered';
      },
      { timeoutMs: 60_000, what: 'both notifications' },
    );
  }

  it('cases and checks that fail', async () => {
    const path = `${users}/${anaId}/cases`;
    const fails = (code: Parameters<typeof recorder.fails>[1], body: unknown) =>
      recorder.fails('create_partner_case', code, { as, path, body });
    await fails('invalid_receipt_number', newCase('EAC12'));
    await fails('uscis_access_not_acknowledged', { receipt_number: receiptOf(3) });
    await fails('receipt_number_rejected', newCase('XXX9999103403'));
    await setFaults(dev, { mode: 'status', status: 503, receipts: [receiptOf(4)] });
    await fails('uscis_unavailable', newCase(receiptOf(4)));
    await setFaults(dev, { mode: 'none' });
    await recorder.fails('check', 'status_not_available', {
      as,
      path: '/v1/check',
      body: { receipt_number: receiptOf(5) },
    });

    const { id } = await newUser(joao);
    const ofJoao = `${users}/${id}/cases`;
    const isFull = 50;
    for (let nth = 0; nth < isFull; nth++)
      await setUp('POST', ofJoao, newCase(receiptOf(100 + nth), { first_check: 'deferred' }));
    await recorder.fails('create_partner_case', 'case_limit_reached', {
      as,
      path: ofJoao,
      body: newCase(receiptOf(3)),
    });
    await setUp('PUT', `${users}/${id}`, { status: 'inactive' });
    await recorder.fails('create_partner_case', 'user_not_active', {
      as,
      path: ofJoao,
      body: newCase(receiptOf(3)),
    });
  }, 120_000);

  it('links in mails, and callbacks', async () => {
    const ofAna = `token=${await inMail(dev, ana.email, unsubscribeLink)}`;
    const withoutToken = 'token=not-a-token';
    await shows('unsubscribe_page', { path: `${unsubscribe}?${ofAna}` });
    await shows('unsubscribe', { path: `${unsubscribe}?${ofAna}`, form: oneClick });
    for (const [name, form] of [['unsubscribe_page'], ['unsubscribe', oneClick]] as const)
      await recorder.fails(name, 'invalid_verification_token', {
        path: `${unsubscribe}?${withoutToken}`,
        ...(form && { form }),
      });
    await waitFor(
      async () =>
        !(await setUp<{ user: { notify_by_email: boolean } }>('GET', `${users}/${anaId}`)).user
          .notify_by_email,
      { what: 'the end of e-mails' },
    );
    await recorder.fails('update_partner_user', 'opted_out_by_user', {
      as,
      path: `${users}/${anaId}`,
      body: { notify_by_email: true },
    });

    const { id } = await newUser(grace);
    await verifyByMail(dev, grace.email);
    await shows('update_partner_user', {
      as,
      path: `${users}/${id}`,
      body: { name: 'Grace N. Okafor', preferred_language: 'en' },
    });
    await setUp('PUT', `${users}/${id}`, { email: 'grace@example.com' });
    const ofGrace = await inMail(dev, grace.email, undoLink);
    await shows('undo_email_change_page', { path: `${undo}?token=${ofGrace}` });
    await shows('undo_email_change', { path: undo, body: { token: ofGrace } });
    await recorder.fails('undo_email_change_page', 'invalid_verification_token', {
      path: `${undo}?${withoutToken}`,
    });
    await recorder.fails('undo_email_change', 'invalid_verification_token', {
      path: undo,
      body: { token: 'not-a-token' },
    });

    const path = '/v1/callbacks/twilio';
    const form = { MessageSid: 'SM00000000000000000000000000000001', MessageStatus: 'delivered' };
    await shows('twilio_callback', {
      path,
      form,
      headers: { 'x-twilio-signature': twilioSignature(path, form) },
    });
    await recorder.fails('twilio_callback', 'invalid_signature', { path, form });
  }, 60_000);

  /** Twilio's rule: the address, then the name and value of every field in alphabetical order. */
  function twilioSignature(path: string, form: Record<string, string>): string {
    const { notifier } = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8'));
    const signed = dev.gateway_url + path + Object.entries(form).sort().flat().join('');
    return createHmac('sha1', notifier.TWILIO_AUTH_TOKEN).update(signed).digest('base64');
  }

  it('deletions', async () => {
    const { id, as: asGrace } = await session(grace.email);
    await signedInAnHourAgo(id);
    await recorder.fails('delete_user', 'reauthentication_required', {
      as: asGrace,
      path: `/v1/users/${id}`,
    });
    await shows('delete_user', { as: (await session(grace.email)).as, path: `/v1/users/${id}` });
    await shows('delete_partner_user', { as, path: `${users}/${anaId}` });
  }, 60_000);

  async function signedInAnHourAgo(userId: number) {
    const { identity } = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8'));
    const connection = await connectMongo(identity.MONGODB_URL);
    const signed_in_at = new Date(Date.now() - 3_600_000);
    await connection.db?.collection('sessions').updateMany({ user_id: userId }, { $set: { signed_in_at } });
    await connection.close();
  }

  it('errors of every operation', async () => {
    const fails = recorder.failsAnywhere;
    const headers = { 'content-type': 'application/json' };
    await fails('validation_failed', 'POST', { as, path: users, body: { email: 'ana', nick: 'a' } });
    await fails('malformed_json', 'POST', { as, path: users, headers, raw: '{"email":' });
    await fails('payload_too_large', 'POST', { as, path: users, headers, raw: `"${'x'.repeat(17_000)}"` });
    await fails('unsupported_media_type', 'POST', { as, path: users, form: { name: 'Ana' } });
    await fails('invalid_parameter', 'GET', { as, path: `${users}?limit=101` });
    await fails('unknown_parameter', 'GET', { as, path: `${users}?page=2` });
    await fails('invalid_cursor', 'GET', { as, path: `${users}?cursor=not-a-cursor` });
    await fails('empty_update', 'PUT', { as, path: `${users}/${noId}`, body: {} });
    await fails('missing_credentials', 'GET', { path: users });
    await fails('invalid_api_key', 'GET', {
      as: { ...as, 'x-api-secret': dev.partner.api_secret },
      path: users,
    });
    await fails('invalid_token', 'GET', { as: bearer('not-a-token'), path: '/v1/users' });
    await fails('partner_keys_not_accepted', 'DELETE', { as, path: `/v1/users/${noId}` });
    await fails('method_not_allowed', 'PATCH', { as, path: users });
    await fails('not_acceptable', 'GET', { as, path: users, headers: { accept: 'text/csv' } });
    const body = { email: 'nobody.known@example.com' };
    await waitFor(
      async () => {
        const asks = Array.from({ length: 20 }, () =>
          send(dev, 'POST', { path: '/v1/auth/login-code', body }),
        );
        return (await Promise.all(asks)).some(({ status }) => status === 429);
      },
      { timeoutMs: 60_000, what: 'the limit of login codes' },
    );
    await fails('rate_limited', 'POST', { path: '/v1/auth/login-code', body });
  }, 90_000);

  it('the status of the service', async () => {
    const path = '/v1/status';
    await waitFor(
      async () => {
        const { body } = await send(dev, 'GET', { path });
        return body.freshness !== null && body.capacity !== null;
      },
      // A busy machine counts the receipts seldom.
      { timeoutMs: 240_000, what: 'the first count of receipts' },
    );
    await shows('get_status', { path });
  }, 270_000);

  it('every operation and every error', () => {
    const { recording } = recorder;
    expect(Object.keys(recording.operations).sort()).toEqual(Object.keys(operations).sort());
    const ownErrors = Object.values(operations).flatMap(({ errors }) => errors as readonly string[]);
    const shown = Object.values(recording.operations).flatMap(({ errors }) => Object.keys(errors));
    expect(
      [...new Set(ownErrors)].filter((code) => ![...shown, ...Object.keys(recording.general)].includes(code)),
    ).toEqual([]);
    expect(JSON.stringify(recording)).not.toMatch(/127\.0\.0\.1:|localhost|DEMOdemo/);
    recorder.finish();
  });
});
