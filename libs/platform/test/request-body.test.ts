import { gzipSync } from 'node:zlib';
import { type Operation, operations, problem } from '@casewatch/contracts';
import {
  createApp,
  createBodyReader,
  createHttpServer,
  createLogger,
  type HttpServer,
  listen,
  newContext,
} from '@casewatch/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const form = 'application/x-www-form-urlencoded';

describe('the body of an operation', () => {
  let server: HttpServer;
  beforeAll(async () => {
    const rows: Record<string, Operation> = {
      json: operations.create_user,
      form: operations.twilio_callback,
    };
    const log = createLogger('cases', 'silent');
    const app = createApp({ log, contextOf: () => newContext() }, (routes) => {
      for (const [name, row] of Object.entries(rows)) {
        const read = createBodyReader(row);
        routes.post(`/${name}`, async (req, res) => {
          await read(req, res);
          res.json(req.body);
        });
      }
    });
    server = await listen(createHttpServer(app), '127.0.0.1', 0);
  });
  afterAll(async () => {
    await server.stop(100);
  });

  const send = (path: string, type: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${server.port}/${path}`, {
      method: 'POST',
      headers: { 'content-type': type, ...headers },
      body: new Uint8Array(Buffer.from(body)),
    });

  it.each([
    'utf-8',
    'UTF8',
    '"utf-8"',
    '"Utf8"',
    "'utf-8'",
    'us-ascii',
    'ASCII',
    'ANSI_X3.4-1968',
    'csUTF8',
    'unicode-1-1-utf-8',
    '"utf-8"; version=1',
  ])('may name the charset %s', async (charset) => {
    const json = await send('json', `application/json; charset=${charset}`, '{"name":"Ñ"}');
    expect([json.status, await json.json()]).toEqual([200, { name: 'Ñ' }]);
    const posted = await send('form', `${form};charset=${charset}`, 'a=%C3%91');
    expect([posted.status, await posted.json()]).toEqual([200, { a: 'Ñ' }]);
  });

  it.each(['utf-16', 'utf-16le', 'iso-8859-1', 'latin1', 'windows-1252', 'utf-7', '"utf-16"', 'x'])(
    'may not name the charset %s',
    async (charset) => {
      for (const [path, type, body] of [
        ['json', 'application/json', '{}'],
        ['form', form, 'a=1'],
      ] as const)
        expect((await send(path, `${type}; charset=${charset}`, body)).status).toBe(415);
    },
  );

  it('takes the charset only from the parameter of that name', async () => {
    expect((await send('json', 'application/json; xcharset=latin1', '{}')).status).toBe(200);
  });

  it.each([
    ['1,200 empty fields', '&'.repeat(1_199), 413],
    ['1,200 fields', Array.from({ length: 1_200 }, (_, i) => `a${i}=1`).join('&'), 413],
    ['1,200 times one field', 'a=1&'.repeat(1_199), 413],
    ['16 KiB of ampersands', '&'.repeat(16_384), 413],
    ['more than 16 KiB', `a=${'x'.repeat(16_384)}`, 413],
    ['1,000 fields', Array.from({ length: 1_000 }, (_, i) => `a${i}=1`).join('&'), 200],
    ['broken escapes', 'a=%zz&%=1&=', 200],
  ])('of a form with %s never is our fault', async (_what, body, status) => {
    const response = await send('form', form, body);
    expect(response.status).toBe(status);
    if (status !== 200) expect(problem.parse(await response.json()).status).toBe(status);
  });

  it('has the values of a field that was sent several times', async () => {
    expect(await (await send('form', form, 'a=1&b=2&a=3')).json()).toEqual({ a: ['1', '3'], b: '2' });
  });

  it.each(['gzip', 'deflate', 'br', 'x-none'])('is not unpacked: %s', async (coding) => {
    const response = await send('json', 'application/json', gzipSync('{}'), { 'content-encoding': coding });
    expect(response.status).toBe(415);
  });
});
