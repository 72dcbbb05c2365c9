import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Sandbox, startSandbox } from '../src/index.ts';
import { call, requestToken } from './support.ts';

let sandbox: Sandbox;
let bearer: { authorization: string };

const RECEIPT = 'EAC9999103403';

const at = (path: string) => sandbox.uscis_url + path;
const put = (path: string, body: unknown) => call('PUT', at(path), body);
const answerWith = (answer: unknown, receipt = RECEIPT) =>
  put(`/sandbox/receipts/${receipt}/answer`, JSON.stringify(answer));
const ask = (receipt = RECEIPT, headers: object = bearer) =>
  call('GET', at(`/case-status/${receipt}`), undefined, headers);

/** Status, header lines and bytes as they came. */
async function bytesFrom(path: string): Promise<{ status: number; headers: string[]; body: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof bytesFrom>>>();
  request(at(path), async (res) => {
    const pieces: Buffer[] = [];
    for await (const piece of res) pieces.push(piece as Buffer);
    resolve({ status: res.statusCode ?? 0, headers: res.rawHeaders, body: Buffer.concat(pieces) });
  })
    .on('error', reject)
    .end();
  return await promise;
}

beforeAll(async () => {
  sandbox = await startSandbox();
  bearer = { authorization: `Bearer ${(await requestToken(sandbox)).json.access_token}` };
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  await call('DELETE', at('/sandbox'));
  await put('/sandbox/limits', { rate_per_second: 100_000, daily_quota: 1_000_000, hours: null });
});

describe('an answer word for word', () => {
  it.each([
    ['broken JSON with spaces around it', '\r\n {"case_status":{"a":"<a href="x">"}\t'],
    ['a byte order mark, invisible and directional characters', '\uFEFF{"a":"\u200b\u202e\u00a0\u0000"}'],
    ['letters of several bytes', '{"a":"Año – ’ 🙂"}'],
    ['a page', '<html>no</html>'],
    ['nothing', ''],
  ])('is sent byte for byte: %s', async (_what, body) => {
    const headers = { 'content-type': 'text/x-own; a=b', 'Retry-After': '7', 'x-own': ['1', '2'] };
    expect((await answerWith({ status: 418, headers, body })).status).toBe(200);
    const got = await bytesFrom(`/case-status/${RECEIPT}`);
    expect(got.status).toBe(418);
    expect(got.body.equals(Buffer.from(body, 'utf8'))).toBe(true);
    const own = got.headers.slice(0, got.headers.indexOf('Date'));
    expect(own).toEqual(['content-type', 'text/x-own; a=b', 'Retry-After', '7', 'x-own', '1', 'x-own', '2']);
  });

  it('comes before limits, tokens and faults, for this receipt alone, and stands in the ledger', async () => {
    await answerWith({ status: 202, body: 'as told' });
    await put('/sandbox/limits', { daily_quota: 0 });
    await put('/sandbox/faults', { mode: 'status', status: 500 });
    const told = await ask(RECEIPT, {});
    expect([told.status, told.text]).toEqual([202, 'as told']);
    expect((await ask('EAC9999103404')).status).toBe(500);
    const { json } = await call('GET', at('/sandbox/requests'));
    expect(json).toMatchObject([
      { receipt: RECEIPT, status: 202, fault: null },
      { receipt: 'EAC9999103404', status: 500, fault: 'status' },
    ]);
  });

  it('is for any receipt, and ends with null, with no body, with the receipt, or with everything', async () => {
    const before = (await ask()).text;
    for (const end of [
      () => answerWith(null),
      () => answerWith({ status: 200, headers: {}, body: null }),
      () => call('PUT', at(`/sandbox/receipts/${RECEIPT}/answer`)),
    ]) {
      await answerWith({ body: 'told' });
      expect((await ask()).text).toBe('told');
      await end();
      expect((await ask()).text).toBe(before);
    }
    await answerWith({ body: 'told' }, 'IOE0912345678');
    expect((await ask('ioe0912345678')).text).toBe('told');
    await call('DELETE', at('/sandbox/receipts/IOE0912345678'));
    expect((await ask('IOE0912345678')).status).toBe(404);
    await answerWith({ body: 'told' });
    await call('DELETE', at('/sandbox'));
    await put('/sandbox/limits', { rate_per_second: 100_000 });
    expect((await ask()).text).toBe(before);
  });

  it('stays while the case below it changes, and shows as a transition each time it changes', async () => {
    await answerWith({ body: 'told' });
    await answerWith({ body: 'told' });
    await put(`/sandbox/receipts/${RECEIPT}`, { text_en: 'Case Was Denied' });
    expect((await ask()).text).toBe('told');
    await answerWith(null);
    expect((await ask()).json.case_status.current_case_status_text_en).toBe('Case Was Denied');
    const { json } = await call('GET', at('/sandbox/transitions'));
    expect(json).toMatchObject([
      { action: 'answer', receipt: RECEIPT, answer: { status: 200, headers: {}, body: 'told' } },
      { action: 'put', served: { text_en: 'Case Was Denied' } },
      { action: 'answer', answer: null, served: { text_en: 'Case Was Denied' } },
    ]);
  });

  it.each([
    ['another field', { code: 200 }, /unknown field "code"/],
    ['no object', [], /object/],
    ['text', '""', /object/],
    ['a status that is none', { status: 100 }, /status/],
    ['a body that is no text', { body: { a: 1 } }, /body/],
    ['a header with a line break', { headers: { 'x-own': 'a\r\nb: c' } }, /headers\.x-own: is not a header/],
    ['a header without a name', { headers: { '': 'a' } }, /is not a header/],
  ])('is refused with a sentence, and changes nothing: %s', async (_what, answer, sentence) => {
    const before = (await ask()).text;
    for (const path of [`/sandbox/receipts/${RECEIPT}/answer`, '/sandbox/token/answer']) {
      const { status, json } = await put(path, answer);
      expect([status, json.error]).toEqual([400, expect.stringMatching(sentence)]);
    }
    expect((await ask()).text).toBe(before);
    expect((await requestToken(sandbox)).json.access_token).toEqual(expect.any(String));
  });

  it('outlives a restart with the cases', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'));
    const first = await startSandbox({ dataDir });
    const answer = { status: 200, headers: { 'x-a': 'b' }, body: 'told' };
    await call('PUT', `${first.uscis_url}/sandbox/receipts/${RECEIPT}/answer`, answer);
    await first.stop();
    const second = await startSandbox({ dataDir });
    const got = await call('GET', `${second.uscis_url}/case-status/${RECEIPT}`);
    expect([got.status, got.text]).toEqual([200, 'told']);
    await second.stop();
    await rm(dataDir, { recursive: true });
  });
});

describe('the token endpoint’s answer word for word', () => {
  it('is given to everybody, and its token is accepted', async () => {
    await put('/sandbox/token/answer', { body: '{"access_token":"own","token_type":"bearer"}' });
    const given = await requestToken(sandbox, { client_secret: 'wrong' });
    expect([given.status, given.text]).toEqual([200, '{"access_token":"own","token_type":"bearer"}']);
    expect((await ask(RECEIPT, { authorization: 'Bearer own' })).status).toBe(200);
    expect((await ask(RECEIPT, { authorization: 'Bearer other' })).status).toBe(401);
    await put('/sandbox/tokens', { revoke: true });
    expect((await ask(RECEIPT, { authorization: 'Bearer own' })).status).toBe(401);
    await put('/sandbox/token/answer', JSON.stringify(null));
    bearer = { authorization: `Bearer ${(await requestToken(sandbox)).json.access_token}` };
  });

  it.each(['', 'no JSON', 'null', '{"access_token":7}', '{"access_token":""}'])(
    'gives no token if it names none: %j',
    async (body) => {
      await put('/sandbox/token/answer', { status: 200, body });
      expect(await requestToken(sandbox)).toMatchObject({ status: 200, text: body });
      await put('/sandbox/token/answer', JSON.stringify(null));
      expect((await requestToken(sandbox)).json.token_type).toBe('Bearer');
      const { json } = await call('GET', at('/sandbox/tokens'));
      expect(json).toMatchObject([{ status: 200 }, { status: 200 }]);
    },
  );
});
