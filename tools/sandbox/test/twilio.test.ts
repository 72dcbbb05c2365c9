import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import twilio from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import { type Sandbox, startSandbox } from '../src/index.ts';
import { call, until } from './support.ts';

/** The official client's transport, pointed at the emulator as the notifier does it. Without `timeout` (ms) it waits as long as it does by itself. */
class BaseUrlClient extends twilio.RequestClient {
  readonly base: URL;

  constructor(base: string, options: { timeout?: number } = {}) {
    super(options);
    this.base = new URL(base);
  }

  override request<TData>(options: RequestClient.RequestOptions<TData>) {
    const url = new URL(options.uri);
    url.protocol = this.base.protocol;
    url.host = this.base.host;
    return super.request<TData>({ ...options, uri: url.href });
  }
}

let sandbox: Sandbox;
let client: twilio.Twilio;
/** Gives up soon, for numbers that never answer: on a busy machine, an answer takes longer than that. */
let impatient: twilio.Twilio;

const FROM = 'whatsapp:+15550009999';
const CONTENT = `HX${'0'.repeat(32)}`;
const number = (ending: string) => `whatsapp:+1555123${ending}`;
const hookUrl = (name: string) => `${sandbox.receiver_url}/hooks/${name}?n=42`;

const send = (ending: string, extra = {}, by = client) =>
  by.messages.create({
    to: number(ending),
    from: FROM,
    contentSid: CONTENT,
    contentVariables: '{"1":"Case Was Approved"}',
    ...extra,
  });
const messagesTo = async (ending: string) =>
  (await call('GET', `${sandbox.twilio_url}/sandbox/messages?to=+1555123${ending}`)).json;
const statusOf = (ending: string, status: string) =>
  until(`status ${status}`, async () =>
    (await messagesTo(ending)).find((found: { status: string }) => found.status === status),
  );
const told = (ending: string, count: number) =>
  until(`${count} callbacks`, async () => {
    const [message] = await messagesTo(ending);
    return message?.callbacks.length >= count && message;
  });

beforeAll(async () => {
  sandbox = await startSandbox();
  const by = (httpClient: BaseUrlClient) =>
    twilio(sandbox.twilio_account_sid, sandbox.twilio_auth_token, { httpClient });
  client = by(new BaseUrlClient(sandbox.twilio_url));
  impatient = by(new BaseUrlClient(sandbox.twilio_url, { timeout: 300 }));
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  await call('DELETE', `${sandbox.twilio_url}/sandbox/messages`);
  await call('PUT', `${sandbox.twilio_url}/sandbox/faults`, { mode: 'none' });
});

describe('the official client', () => {
  it('creates a message that is queued, then delivered, and fetches it', async () => {
    const created = await send('4242');
    expect(created).toMatchObject({ status: 'queued', to: number('4242'), from: FROM, errorCode: null });
    expect(created.dateCreated).toBeInstanceOf(Date);
    await statusOf('4242', 'delivered');
    expect(await client.messages(created.sid).fetch()).toMatchObject({
      sid: created.sid,
      status: 'delivered',
    });
  });

  it('finds messages by number and time, page by page, newest first', async () => {
    const sids = [(await send('1111')).sid, (await send('1111')).sid, (await send('1111')).sid];
    await send('2222');
    const dateSentAfter = new Date(Date.now() - 60_000);
    const found = await client.messages.list({ to: number('1111'), from: FROM, dateSentAfter, pageSize: 2 });
    expect(found.map(({ sid }) => sid)).toEqual(sids.reverse());
    expect(await client.messages.list({ to: '+15551231111' })).toEqual([]);
  });

  it('is refused with a wrong token, a missing number, or variables that are no JSON', async () => {
    const httpClient = new BaseUrlClient(sandbox.twilio_url);
    const stranger = twilio(sandbox.twilio_account_sid, 'wrong', { httpClient });
    await expect(stranger.messages.list()).rejects.toMatchObject({ status: 401, code: 20003 });
    await expect(send('4242', { to: 'whatsapp:nobody' })).rejects.toMatchObject({ code: 21211 });
    await expect(send('4242', { contentVariables: 'x' })).rejects.toMatchObject({ code: 21656 });
    await expect(client.messages('SM0').fetch()).rejects.toMatchObject({ status: 404, code: 20404 });
  });
});

describe('status callbacks', () => {
  it('come signed, in order, to the address as given', async () => {
    const { sid } = await send('0007', { statusCallback: hookUrl('signed') });
    const message = await told('0007', 3);
    expect(message.callbacks).toMatchObject([
      { status: 'sent', response_status: 200, sent_at: expect.stringMatching(/Z$/) },
      { status: 'delivered', response_status: 200 },
      { status: 'read', response_status: 200 },
    ]);
    const { json: calls } = await call('GET', `${sandbox.receiver_url}/sandbox/hooks/signed`);
    for (const { headers, body } of calls) {
      const params = Object.fromEntries(new URLSearchParams(body));
      const signature = headers['x-twilio-signature'];
      expect(params).toMatchObject({
        MessageSid: sid,
        To: number('0007'),
        AccountSid: sandbox.twilio_account_sid,
      });
      expect(twilio.validateRequest(sandbox.twilio_auth_token, signature, hookUrl('signed'), params)).toBe(
        true,
      );
    }
  });

  it('are tried once more when the receiver fails', async () => {
    await call('PUT', `${sandbox.receiver_url}/sandbox/hooks/failing`, { status: 503 });
    await send('4243', { statusCallback: hookUrl('failing') });
    const message = await told('4243', 4);
    expect(message.callbacks.map(({ status }: { status: string }) => status)).toEqual([
      'sent',
      'sent',
      'delivered',
      'delivered',
    ]);
  });

  it('of 0005 tell a late failure after the delivery, which stays', async () => {
    await send('0005', { statusCallback: hookUrl('stray') });
    const message = await told('0005', 3);
    expect(message.callbacks.map(({ status }: { status: string }) => status)).toEqual([
      'delivered',
      'sent',
      'undelivered',
    ]);
    expect(message).toMatchObject({ status: 'delivered', error_code: null });
    const { json: calls } = await call('GET', `${sandbox.receiver_url}/sandbox/hooks/stray`);
    expect(calls.at(-1).body).toContain('ErrorCode=63024');
  });
});

describe('numbers that misbehave', () => {
  it('0001 and 0002 refuse, 0004 answers HTML; nothing is stored', async () => {
    await expect(send('0001')).rejects.toMatchObject({ status: 400, code: 21211 });
    await expect(send('0002')).rejects.toMatchObject({ status: 429, code: 20429 });
    await expect(send('0004')).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('503'),
    });
    expect((await call('GET', `${sandbox.twilio_url}/sandbox/messages`)).json).toEqual([]);
  });

  it('0003 stores the message, delivers it and never answers', async () => {
    await expect(send('0003', {}, impatient)).rejects.toMatchObject({ code: 'ECONNABORTED' });
    expect(await statusOf('0003', 'delivered')).toMatchObject({ to: number('0003') });
  });

  it('0006 fails with 63018, 0008 is not delivered with 63049', async () => {
    await send('0006');
    await send('0008');
    expect(await statusOf('0006', 'failed')).toMatchObject({ error_code: 63018 });
    expect(await statusOf('0008', 'undelivered')).toMatchObject({ error_code: 63049 });
  });
});

describe('control', () => {
  it('shows a message with its variables parsed, asked for with or without channel and encoding', async () => {
    await send('4244');
    for (const to of [
      number('4244'),
      '%2B15551234244',
      '+15551234244',
      '15551234244',
      'whatsapp:%2B15551234244',
    ]) {
      const { json } = await call('GET', `${sandbox.twilio_url}/sandbox/messages?to=${to}`);
      expect(json).toHaveLength(1);
      expect(Object.keys(json[0]).sort()).toEqual([
        'body',
        'callbacks',
        'content_sid',
        'content_variables',
        'created_at',
        'error_code',
        'from',
        'sid',
        'status',
        'status_callback',
        'to',
      ]);
      expect(json[0]).toMatchObject({ content_sid: CONTENT, content_variables: { 1: 'Case Was Approved' } });
    }
  });

  it('sets faults for one number: refused before storing, dropped or hanging after it', async () => {
    const fault = (body: object) =>
      call('PUT', `${sandbox.twilio_url}/sandbox/faults`, { to: '+15551234245', ...body });
    await fault({ mode: 'status', status: 400, code: 63016 });
    await expect(send('4245')).rejects.toMatchObject({ status: 400, code: 63016 });
    await expect(send('4246')).resolves.toMatchObject({ status: 'queued' });
    await fault({ mode: 'html' });
    await expect(send('4245')).rejects.toMatchObject({ status: 503 });
    expect(await messagesTo('4245')).toHaveLength(0);
    await fault({ mode: 'drop' });
    await expect(send('4245')).rejects.toMatchObject({ code: 'ECONNRESET' });
    await fault({ mode: 'hang' });
    await expect(send('4245', {}, impatient)).rejects.toMatchObject({ code: 'ECONNABORTED' });
    await until('both messages', async () => (await messagesTo('4245')).length === 2);
    expect((await fault({ mode: 'rain' })).status).toBe(400);
  });

  it('sends free text only to a person who wrote less than a day ago', async () => {
    const text = { contentSid: undefined, contentVariables: undefined, body: 'Hello' };
    await send('4251', text);
    expect(await statusOf('4251', 'failed')).toMatchObject({ error_code: 63016, body: 'Hello' });
    const url = hookUrl('inbound');
    const more = { sid: 'SM-again', opt_out_type: 'STOP', button_payload: 'Stop' };
    for (const _again of [1, 2]) {
      const inbound = { from: number('4252'), body: 'STOP', url, ...more };
      await call('POST', `${sandbox.twilio_url}/sandbox/inbound`, inbound);
    }
    await send('4252', text);
    expect(await statusOf('4252', 'delivered')).toMatchObject({ error_code: null, body: 'Hello' });
    await send('4253');
    await statusOf('4253', 'delivered');
    const { json: calls } = await call('GET', `${sandbox.receiver_url}/sandbox/hooks/inbound`);
    const fields = { MessageSid: 'SM-again', OptOutType: 'STOP', ButtonPayload: 'Stop', Body: 'STOP' };
    for (const { body } of calls.slice(-2))
      expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject(fields);
  });

  it('has a page with the messages, escaped', async () => {
    await send('4247', { contentSid: undefined, contentVariables: undefined, body: '<b>hello</b>' });
    expect((await call('GET', `${sandbox.twilio_url}/`)).text).toContain('&lt;b&gt;hello');
  });
});
