import { randomInt } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  approved,
  createPartner,
  mailsTo,
  newReceipt,
  type Partner,
  received,
  setReceipt,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type System, sharedSystem } from '../support/system.ts';

type Ask = { headers?: Record<string, string>; parts?: readonly (string | Buffer)[] };

/** Not by fetch, which adds headers of its own. Several parts are sent chunked. */
async function post(url: string, { headers = {}, parts = [] }: Ask) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const call = request(url, { method: 'POST', headers, agent: false }, (answer) => {
    text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
  });
  call.on('error', reject);
  const [only] = parts;
  if (parts.length === 1) call.setHeader('content-length', Buffer.byteLength(only ?? ''));
  for (const part of parts) call.write(part);
  call.end();
  return await promise;
}

const boundary = 'XYZ';
const multipart = [
  `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`,
];
const form = 'List-Unsubscribe=One-Click';
const type = (value: string) => ({ 'content-type': value });

/** What mail programs, their proxies and scripts send (RFC 8058 §3.2 asks for multipart/form-data). */
const asks: [what: string, ask: Ask][] = [
  ['multipart/form-data', { headers: type(`multipart/form-data; boundary=${boundary}`), parts: multipart }],
  ['multipart/form-data without a boundary', { headers: type('multipart/form-data'), parts: multipart }],
  ['a form', { headers: type('application/x-www-form-urlencoded'), parts: [form] }],
  [
    'a form in another charset',
    { headers: type('application/x-www-form-urlencoded; charset=iso-8859-1'), parts: [form] },
  ],
  ['a form in an unknown charset', { headers: type('text/plain; charset="x-none"'), parts: [form] }],
  ['a body without a type', { parts: [form] }],
  ['a type that is none', { headers: type('form'), parts: [form] }],
  ['an empty form', { headers: { ...type('application/x-www-form-urlencoded'), 'content-length': '0' } }],
  ['no body at all', {}],
  ['JSON that is none', { headers: type('application/json'), parts: ['{"a":1,"a":'] }],
  ['bytes', { headers: type('application/octet-stream'), parts: [Buffer.from([0, 255, 254, 128])] }],
  ['chunks', { headers: type('multipart/form-data'), parts: ['List-Unsub', 'scribe=One', '-Click'] }],
  ['an empty chunked body', { headers: { 'transfer-encoding': 'chunked' } }],
  ['16 KiB', { headers: type('text/plain'), parts: ['x'.repeat(16 * 1024)] }],
  ['2,000 fields', { headers: type('application/x-www-form-urlencoded'), parts: ['&'.repeat(2_000)] }],
  ['a wish for an image', { headers: { accept: 'image/png' }, parts: [form] }],
  ['a wish for nothing', { headers: { accept: 'application/json;q=0, */*;q=0' }, parts: [form] }],
];

describe('one click in a mail program', () => {
  let system: System;
  let partner: Partner;
  let link: string;
  let userPath: string;
  beforeAll(async () => {
    system = await sharedSystem();
    const dev = system.dev();
    partner = createPartner(dev, dev.partner);
    const user = await partner.verifiedUser({ phone: `+1202555${randomInt(1_000, 10_000)}` });
    userPath = `/v1/client/users/${user.id}`;
    const receipt = newReceipt();
    await setReceipt(dev, receipt, received);
    await partner.call('POST', `${userPath}/cases`, {
      receipt_number: receipt,
      uscis_access_acknowledged: true,
    });
    await setReceipt(dev, receipt, approved);
    const mail = await waitFor(
      async () =>
        (await mailsTo(dev, user.email)).find(({ headers }) => headers['list-unsubscribe'] !== undefined),
      { what: 'the status mail' },
    );
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    link = /^<(.+)>$/.exec(mail.headers['list-unsubscribe'] ?? '')?.[1] ?? '';
  });

  it('switches mails off by multipart/form-data, and a GET does not', async () => {
    expect((await fetch(link)).status).toBe(200);
    expect((await partner.call('GET', userPath)).body.user).toMatchObject({ notify_by_email: true });
    const { status, body } = await post(link, asks[0]?.[1] ?? {});
    expect([status, JSON.parse(body)]).toEqual([
      200,
      expect.objectContaining({ success: true, channel: 'email' }),
    ]);
    await waitFor(
      async () => {
        const { user } = (await partner.call('GET', userPath)).body as {
          user: { notify_by_email: boolean };
        };
        return !user.notify_by_email;
      },
      { what: 'the switched off mails' },
    );
  });

  it.each(asks)('is taken with %s', async (_what, ask) => {
    const { status, body } = await post(link, ask);
    expect([status, body]).toEqual([200, expect.stringContaining('"channel":"email"')]);
  });

  it.each(['&utm_source=mail', '&utm_source=a&utm_source=b', '&__proto__=x', '&'])(
    'is taken with %s behind the link',
    async (more) => {
      expect((await post(`${link}${more}`, asks[0]?.[1] ?? {})).status).toBe(200);
    },
  );

  it('is refused without a valid link, and above 16 KiB', async () => {
    const wrong = await post(link.replace('.email.', '.whatsapp.'), asks[0]?.[1] ?? {});
    expect([wrong.status, JSON.parse(wrong.body).code]).toEqual([400, 'invalid_verification_token']);
    expect((await post(link.replace(/token=.*/, 'utm_source=mail'), {})).status).toBe(400);
    const large = await post(link, { headers: type('text/plain'), parts: ['x'.repeat(16 * 1024 + 1)] });
    expect([large.status, JSON.parse(large.body).code]).toEqual([413, 'payload_too_large']);
  });
});
