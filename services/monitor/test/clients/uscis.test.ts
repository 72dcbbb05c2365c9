import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { createBase, inTrace } from '@casewatch/platform';
import { startSandbox } from '@casewatch/sandbox';
import { startNats } from '@casewatch/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createUscis, type Uscis } from '../../src/clients/uscis.ts';
import { askUscis } from '../../src/sending/ask-uscis.ts';
import type { SendPermit } from '../../src/sending/pacer.ts';

describe('the client of the government’s API', () => {
  const open: { server: Server; uscis: Uscis }[] = [];
  afterEach(async () => {
    for (const { server, uscis } of open.splice(0)) {
      await uscis.close();
      server.closeAllConnections();
      server.close();
    }
  });

  /** A government that gives tokens t1, t2, … and answers cases as told. */
  async function start(
    expiresIn: string,
    answer: (token: string, res: ServerResponse, req: IncomingMessage) => void,
  ) {
    const seen = { tokens: 0, forms: [] as string[] };
    const server = createServer(async (req, res) => {
      if (req.url !== '/token') return answer((req.headers.authorization ?? '').slice(7), res, req);
      let form = '';
      for await (const chunk of req) form += String(chunk);
      seen.forms.push(form);
      res.end(JSON.stringify({ access_token: `t${++seen.tokens}`, expires_in: expiresIn }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const uscis = createUscis({
      USCIS_TOKEN_URL: `${url}/token`,
      USCIS_API_URL: `${url}/case/`,
      USCIS_CLIENT_ID: 'an id',
      USCIS_CLIENT_SECRET: 'a&secret',
      USCIS_DEMO_ID: 'demo',
    });
    open.push({ server, uscis });
    return { uscis, seen };
  }

  let sent = 0;
  const granted = (mayWrite: () => boolean): SendPermit => ({
    sent: ++sent,
    mayWrite,
    release() {},
  });
  const turn = async () => granted(() => true);
  const found = JSON.stringify({
    case_status: {
      receiptNumber: 'EAC1234567890',
      current_case_status_text_en: 'Case Was Received',
      current_case_status_desc_en: 'We received your case.',
    },
  });

  it('fetches one token for many concurrent checks, with its keys in the form', async () => {
    const { uscis, seen } = await start('1799', (_token, res) => res.end(found));
    const checks = await Promise.all(
      [1, 2, 3].map(() => askUscis(uscis, 'EAC1234567890', { nextPermit: turn })),
    );
    expect(checks.map(({ outcome }) => outcome.outcome)).toEqual(['seen', 'seen', 'seen']);
    expect(seen.forms).toEqual(['grant_type=client_credentials&client_id=an+id&client_secret=a%26secret']);
  });

  it('takes a new token and a turn of its own after a 401', async () => {
    const asked: string[] = [];
    const { uscis } = await start('1799', (token, res, req) => {
      asked.push(`${token} ${req.url} ${req.headers.demo_id}`);
      if (token === 't1') res.statusCode = 401;
      res.end(token === 't1' ? '{"code":401,"message":"Invalid Access Token"}' : found);
    });
    const first = sent + 1;
    const { outcome, sent: place } = await askUscis(uscis, 'EAC1234567890', { nextPermit: turn });
    expect(outcome.outcome).toBe('seen');
    expect(place).toBe(first + 1);
    expect(asked).toEqual(['t1 /case/EAC1234567890 demo', 't2 /case/EAC1234567890 demo']);
  });

  it('writes nothing where the turn has passed, and asks for another', async () => {
    let requests = 0;
    const { uscis } = await start('1799', (_token, res) => {
      requests += 1;
      res.end(found);
    });
    let turns = 0;
    const late = async () => granted(() => ++turns === 3);
    expect((await askUscis(uscis, 'EAC1234567890', { nextPermit: late })).outcome.outcome).toBe('seen');
    expect([turns, requests]).toEqual([3, 1]);
  });

  it('shows a turn that has passed as no error in the trace', async () => {
    await using stack = new AsyncDisposableStack();
    const [sandbox, nats] = await Promise.all([startSandbox(), startNats({ declares: false })]);
    stack.defer(sandbox.stop);
    stack.defer(nats.stop);
    const tracing = { LOG_LEVEL: 'silent', OTEL_EXPORTER_OTLP_ENDPOINT: sandbox.traces_url };
    const base = await createBase('monitor', { ...tracing, ...nats.user('monitor') }, null);
    const { uscis } = await start('1799', (_token, res) => res.end(found));
    let turns = 0;
    const late = async () => granted(() => ++turns === 2);
    await inTrace({ name: 'check' }, () => askUscis(uscis, 'EAC1234567890', { nextPermit: late }));
    await base.stop();
    const sent = await fetch(`${sandbox.traces_url}/sandbox/spans`);
    const spans = (await sent.json()) as { name: string; is_error: boolean }[];
    const asked = spans.filter(({ name }) => name === 'GET case-status');
    expect(asked.map(({ is_error }) => is_error)).toEqual([false, false]);
  });

  it('reads no endless answer', async () => {
    const { uscis } = await start('1799', (_token, res) => {
      const flood = () => !res.destroyed && res.write('x'.repeat(65_536), () => setImmediate(flood));
      flood();
    });
    expect((await askUscis(uscis, 'EAC1234567890', { nextPermit: turn })).outcome.outcome).toBe('failed');
  });

  it('gives up after six seconds', async () => {
    const { uscis } = await start('1799', () => {});
    const startedMs = performance.now();
    expect((await askUscis(uscis, 'EAC1234567890', { nextPermit: turn })).outcome.outcome).toBe('failed');
    expect(performance.now() - startedMs).toBeLessThan(8_500);
  });

  /** A government that writes these bytes as its answer to each request, and closes the connection. */
  async function startRaw(answer: string) {
    const seen = { connections: 0 };
    const server = createTcpServer((socket) => {
      seen.connections += 1;
      socket.on('error', () => undefined);
      socket.once('data', (request) => {
        const token = JSON.stringify({ access_token: 't', expires_in: '1799' });
        const isToken = request.includes('POST /token');
        socket.end(
          answer
            .replaceAll('$body', isToken ? token : found)
            .replaceAll('$length', String((isToken ? token : found).length)),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const uscis = createUscis({
      ...{ USCIS_TOKEN_URL: `${url}/token`, USCIS_API_URL: `${url}/case/`, USCIS_DEMO_ID: '' },
      ...{ USCIS_CLIENT_ID: 'an id', USCIS_CLIENT_SECRET: 'a&secret' },
    });
    const stop = async () => {
      await uscis.close();
      server.close();
    };
    return { uscis, seen, stop };
  }

  const plain = 'HTTP/1.1 200 OK\r\ncontent-length: $length\r\n\r\n$body';
  it.each([
    ['100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${plain}`],
    ['103 Early Hints, twice', `${'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(2)}${plain}`],
    ['line feeds alone', plain.replaceAll('\r', '')],
    ['a folded header', plain.replace('OK\r\n', 'OK\r\nx-a: b\r\n c\r\n')],
    ['17 KB of headers', plain.replace('OK\r\n', `OK\r\nx-a: ${'a'.repeat(17_000)}\r\n`)],
  ])('reads tokens and cases that come with %s', async (_what, answer) => {
    const { uscis, stop } = await startRaw(answer);
    const { outcome } = await askUscis(uscis, 'EAC1234567890', { nextPermit: turn });
    expect(outcome).toMatchObject({ outcome: 'seen' });
    await stop();
  });

  it.each([
    ['a part of it is missing', plain.replace('$length', '$length0')],
    ['the same Content-Length twice', plain.replace('OK\r\n', 'OK\r\ncontent-length: $length\r\n')],
    ['nothing', ''],
  ])('has failed where %s', async (_what, answer) => {
    const { uscis, stop } = await startRaw(answer);
    expect((await askUscis(uscis, 'EAC1234567890', { nextPermit: turn })).outcome.outcome).toBe('failed');
    await stop();
  });

  it('keeps a new connection whose slot was over while it was made, for the next slot', async () => {
    let connections = 0;
    const { uscis } = await start('1799', (_token, res) => res.end(found));
    open.at(-1)?.server.on('connection', () => {
      connections += 1;
    });
    let turns = 0;
    const late = async () => granted(() => ++turns === 4);
    await Promise.all([uscis.token(1_000), uscis.token(1_000)]);
    const before = connections;
    // The kept connection of the token is busy with the first of two checks at the same time.
    const checks = await Promise.all([
      askUscis(uscis, 'EAC1234567890', { nextPermit: turn }),
      askUscis(uscis, 'EAC1234567890', { nextPermit: late }),
    ]);
    expect(checks.map(({ outcome }) => outcome.outcome)).toEqual(['seen', 'seen']);
    expect(turns).toBe(4);
    expect(connections - before).toBeLessThanOrEqual(2);
  });
});
