import { once } from 'node:events';
import { connect } from 'node:net';
import {
  htmlLanguage,
  type Operation,
  type OperationName,
  problem,
  routesInOrder,
} from '@casewatch/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consolePages } from '../../src/pages/console/pages.ts';
import { peoplePages } from '../../src/pages/people/pages.ts';
import { startTestGateway } from '../support/start-gateway.ts';

type Row = Operation & { name: OperationName };
type Fault = readonly [what: string, status: number, requestOf: (row: Row, headers: string) => string | null];
type Answer = { status: number; headers: Headers; text: string };

const rows = routesInOrder();
const pageRows = rows.filter((row) => row.page);
const token = 'tok-9f2c-secret';
const pathOf = ({ path, query, method }: Row) =>
  `${path.replaceAll(/\{[a-z_]+\}/g, '8')}${query && method === 'GET' ? `?token=${token}` : ''}`;

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
const languages = [
  ['en-US,en;q=0.9', 'en', 'Code of this error (copy it if you write to us)'],
  ['es-419,es;q=0.9', 'es', 'Código de este error (si nos escribe, cópielo)'],
  ['pt-BR,pt;q=0.9', 'pt', 'Código deste erro (se nos escrever, copie-o)'],
] as const;
const browserIn = (language: string) => `Accept: ${browser}\r\nAccept-Language: ${language}\r\n`;

const form = 'Content-Type: application/x-www-form-urlencoded\r\n';

let visits = 0;

/** Ends with the empty line; `more` are lines of headers. Each request is of another address. */
function head(row: Row, headers: string, { method = row.method as string, more = '' } = {}): string {
  visits += 1;
  const address = `X-Forwarded-For: 198.51.${visits >> 8}.${visits & 255}\r\n`;
  return `${method} ${pathOf(row)} HTTP/1.1\r\nHost: a\r\n${address}${headers}${more}Connection: close\r\n\r\n`;
}

/** What the gateway refuses by itself. */
const faults: readonly Fault[] = [
  ['two hosts', 400, (row, headers) => head(row, headers, { more: 'Host: b\r\n' })],
  ['an expectation that is not known', 400, (row, headers) => head(row, headers, { more: 'Expect: x\r\n' })],
  [
    'a header that is none',
    400,
    (row, headers) => `${row.method} ${pathOf(row)} HTTP/1.1\r\nHost: a\r\n${headers}no header\r\n\r\n`,
  ],
  ['a method that is not there', 405, (row, headers) => head(row, headers, { method: 'DELETE' })],
  [
    'a body that does not come',
    408,
    (row, headers) =>
      row.method === 'POST' ? head(row, headers, { more: `${form}Content-Length: 9\r\n` }) : null,
  ],
  [
    'a body that is too large',
    413,
    (row, headers) =>
      `${head(row, headers, { more: `${form}Content-Length: 17000\r\n` })}${'x'.repeat(17_000)}`,
  ],
  [
    'a coding',
    415,
    (row, headers) =>
      row.body
        ? `${head(row, headers, { more: `${form}Content-Encoding: gzip\r\nContent-Length: 2\r\n` })}ab`
        : null,
  ],
  [
    'too many cookies',
    431,
    (row, headers) => head(row, headers, { more: `Cookie: a=${'x'.repeat(17_000)}\r\n` }),
  ],
  ['a service that is away', 503, (row, headers) => head(row, headers)],
  [
    'HEAD, and a service that is away',
    503,
    (row, headers) => (row.method === 'GET' ? head(row, headers, { method: 'HEAD' }) : null),
  ],
];

describe('what the gateway refuses by itself', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway({
      IDENTITY_URL: 'http://127.0.0.1:9',
      TRUSTED_HOPS: '1',
    });
  });
  afterAll(() => gateway.stop());

  describe.each(pageRows.map((row) => [row.name, row] as const))('of %s', (_name, row) => {
    it.each(faults.filter(([, , requestOf]) => requestOf(row, '') !== null))(
      'is a page for a browser, and JSON for a program: %s',
      async (_what, status, requestOf) => {
        const asked = languages.map(async ([acceptLanguage, language, words]) => {
          const page = await answerTo(gateway.port, requestOf(row, browserIn(acceptLanguage)));
          expectPage(page, status);
          if (page.text === '') return;
          expect(page.text).toContain(`<html lang="${htmlLanguage[language]}">`);
          expect(page.text).toContain(`${words}: <code>${page.headers.get('x-request-id')}</code>`);
        });
        const programs = ['', 'Accept: */*\r\n', 'Accept: application/json, text/html\r\n'];
        const askedByPrograms = programs.map(async (accept) =>
          expectProblem(await answerTo(gateway.port, requestOf(row, accept)), status),
        );
        await Promise.all([...asked, ...askedByPrograms]);
      },
    );
  });

  it.each(rows.filter((row) => !row.page).map((row) => [row.name, row] as const))(
    'of an operation without pages is JSON, also for a browser: %s',
    async (_name, row) => {
      const headers = browserIn('es');
      expectProblem(await answerTo(gateway.port, head(row, headers, { method: 'TRACE' })), 405);
      const cookies = `Cookie: a=${'x'.repeat(17_000)}\r\n`;
      expectProblem(await answerTo(gateway.port, head(row, headers, { more: cookies })), 431);
    },
  );

  it('of every page, in the tables or beside them, is a page for a browser and JSON for a program', async () => {
    const tables = [...peoplePages, ...consolePages].map(({ method, path }) => ({
      method,
      path: path.replaceAll(/:\w+/g, '8'),
    }));
    const entries = [
      '/',
      '/sign-in',
      '/sign-in/code',
      '/welcome',
      '/console',
      '/console/sign-in',
      '/docs',
      '/docs/guide',
    ];
    const [row] = pageRows;
    if (!row) throw new Error('no operation has a page');
    expect(tables.length).toBeGreaterThan(30);
    const cookies = `Cookie: a=${'x'.repeat(17_000)}\r\n`;
    const asked = [
      { status: 400, more: 'Host: b\r\n' },
      { status: 400, more: 'Expect: x\r\n' },
      { status: 431, more: cookies },
    ];
    const ask = async ({ method, path }: { method: string; path: string }) => {
      const at = { ...row, method: method as Row['method'], path };
      for (const { status, more } of asked) {
        const page = await answerTo(gateway.port, head(at, browserIn('es'), { more }));
        expectPage(page, status);
        expect(page.text).toContain('<html lang="es">');
        expect(page.text).not.toContain('enlace de nuestro correo');
        expectProblem(await answerTo(gateway.port, head(at, '', { more })), status);
      }
    };
    await Promise.all([...tables, ...entries.map((path) => ({ method: 'GET', path }))].map(ask));
  });

  it('of an address that is not there is JSON for a program, and a page for a browser (front-page.test.ts)', async () => {
    const [row] = pageRows;
    if (!row) throw new Error('no operation has a page');
    const nowhere = { ...row, path: '/foo' };
    expectProblem(await answerTo(gateway.port, head(nowhere, 'Accept: */*\r\n')), 404);
    const { headers } = await answerTo(gateway.port, head(nowhere, browserIn('es')));
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it.each(['/sign-in', '/sign-out', '/data/delete'])(
    'is not the address of a form that is loaded again: %s',
    async (path) => {
      const response = await fetch(gateway.url + path, { headers: { accept: browser }, redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
    },
  );
});

describe('an address over its limit', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway({ RATE_LIMIT_ADDRESS_PER_MINUTE: '1' });
    await fetch(`${gateway.url}/v1/users/verify-email?token=x`);
  });
  afterAll(() => gateway.stop());

  it.each(pageRows.map((row) => [row.name, row] as const))(
    'is told on a page how long to wait: %s',
    async (_name, row) => {
      const words = ['Please wait a minute', 'Espere un minuto', 'Espere um minuto'];
      for (const [index, [acceptLanguage]] of languages.entries()) {
        for (const more of ['', 'Expect: x\r\n', `Cookie: a=${'x'.repeat(17_000)}\r\n`]) {
          const page = await answerTo(gateway.port, head(row, browserIn(acceptLanguage), { more }));
          expectPage(page, 429);
          expect(Number(page.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
          expect(page.text).toContain(words[index]);
        }
      }
      expectProblem(await answerTo(gateway.port, head(row, '')), 429);
    },
  );
});

function expectPage({ status, headers, text }: Answer, expected: number): void {
  expect([status, headers.get('content-type')]).toEqual([expected, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'unsafe-inline';[^,]*$/,
  );
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=/);
  expect(text).not.toContain(token);
  expect(text).not.toMatch(/[a-z]_[a-z]+_?[a-z]*<|"code"|application\/json/);
}

function expectProblem({ status, headers, text }: Answer, expected: number): void {
  expect([status, headers.get('content-type')]).toEqual([expected, 'application/json; charset=utf-8']);
  if (text !== '') expect(problem.parse(JSON.parse(text)).status).toBe(expected);
}

/** All that comes until the gateway ends the connection. */
async function answerTo(port: number, request: string | null): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  let all = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    all += chunk;
  });
  const closed = once(socket, 'close');
  socket.write(request ?? '');
  await closed;
  const end = all.indexOf('\r\n\r\n');
  const [first = '', ...lines] = all.slice(0, end).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(' ')[1]), headers, text: all.slice(end + 4) };
}
