import { once } from 'node:events';
import { connect } from 'node:net';
import { problem } from '@casewatch/contracts';
import {
  addOperations,
  createApp,
  createHttpServer,
  createLogger,
  type HttpServer,
  listen,
  newContext,
  type Route,
} from '@casewatch/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

/** In the order of `routesInOrder`: a literal segment goes before a parameter. */
const table = [
  ['GET', '/v1/users/me'],
  ['POST', '/v1/users/me'],
  ['GET', '/v1/users/me/keys'],
  ['DELETE', '/v1/users/{user_id}'],
  ['GET', '/v1/users/{user_id}'],
  ['GET', '/v1/users/{user_id}/cases'],
  ['PUT', '/v1/users/{user_id}/cases/{user_case_id}'],
] as const;

describe('operations of the table', () => {
  let server: HttpServer;
  beforeAll(async () => {
    const log = createLogger('cases', 'silent');
    const rows = table.map(([method, path]) => ({ method, path })) as unknown as Route[];
    const app = createApp({ log, contextOf: () => newContext() }, (routes) => {
      addOperations(routes, rows, ({ method, path }) => async (req, res) => {
        if (req.params.user_id === 'fails') throw new Error('a mistake of ours');
        res.json({ served: `${method} ${path}`, params: req.params });
      });
      routes.get('/page', (_req, res) => {
        res.json({ served: 'page' });
      });
    });
    server = await listen(createHttpServer(app), '127.0.0.1', 0);
  });
  afterAll(() => server.stop(100));

  /** As it is sent: `fetch` would change some paths. */
  async function ask(method: string, path: string, version = '1.1') {
    const socket = connect(server.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    const closed = once(socket, 'close');
    socket.write(`${method} ${path} HTTP/${version}\r\nHost: a\r\nConnection: close\r\n\r\n`);
    await closed;
    const [head = '', body = ''] = text.split('\r\n\r\n');
    return {
      status: Number(head.split(' ')[1]),
      allow: /^allow: (.*)$/im.exec(head)?.[1],
      length: Number(/^content-length: (.*)$/im.exec(head)?.[1]),
      body,
    };
  }

  it.each<[string, string, string, object]>([
    ['GET', '/v1/users/me', '/v1/users/me', {}],
    ['GET', '/v1/users/me/', '/v1/users/me', {}],
    ['GET', '/v1/users/me?x=1', '/v1/users/me', {}],
    ['GET', '/v1/users/me/keys', '/v1/users/me/keys', {}],
    ['GET', '/v1/users/7', '/v1/users/{user_id}', { user_id: '7' }],
    ['GET', '/v1/users/mee', '/v1/users/{user_id}', { user_id: 'mee' }],
    ['DELETE', '/v1/users/7', '/v1/users/{user_id}', { user_id: '7' }],
    // A literal segment that leads nowhere is a value of the parameter.
    ['GET', '/v1/users/me/cases', '/v1/users/{user_id}/cases', { user_id: 'me' }],
    ['GET', '/v1/users/7/cases/', '/v1/users/{user_id}/cases', { user_id: '7' }],
    [
      'PUT',
      '/v1/users/7/cases/a.b-c',
      '/v1/users/{user_id}/cases/{user_case_id}',
      { user_id: '7', user_case_id: 'a.b-c' },
    ],
    ['GET', '/v1/users/a%2Fb', '/v1/users/{user_id}', { user_id: 'a/b' }],
    ['GET', '/v1/users/%C3%91%20%3F', '/v1/users/{user_id}', { user_id: 'Ñ ?' }],
    ['GET', '/v1/users/:user_id', '/v1/users/{user_id}', { user_id: ':user_id' }],
  ])('%s %s is found', async (method, path, served, params) => {
    const { status, body } = await ask(method, path);
    expect([status, JSON.parse(body)]).toEqual([200, { served: `${method} ${served}`, params }]);
  });

  it.each([
    '/',
    '/v1',
    '/v1/users',
    '/v1/users/',
    '/v1/users//cases',
    '//v1/users/7',
    '/v1//users/7',
    '/V1/users/7',
    '/v1/users/ME/keys',
    '/v1/users/7/cases//',
    '/v1/users/7/cases/8/9',
    '/v1/users/me/keys//',
    '/v1%2Fusers/7',
  ])('%s is 404 for each method', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND']) {
      const { status, body } = await ask(method, path);
      expect([status, problem.parse(JSON.parse(body)).code]).toEqual([404, 'route_not_found']);
    }
  });

  it.each([
    // Only the path with a parameter has DELETE and PUT.
    ['DELETE', '/v1/users/me', 'GET, POST, HEAD, OPTIONS'],
    ['PUT', '/v1/users/me/', 'GET, POST, HEAD, OPTIONS'],
    ['POST', '/v1/users/7', 'DELETE, GET, HEAD, OPTIONS'],
    ['OPTIONS', '/v1/users/7', 'DELETE, GET, HEAD, OPTIONS'],
    ['PROPFIND', '/v1/users/7', 'DELETE, GET, HEAD, OPTIONS'],
    ['TRACE', '/v1/users/7/cases', 'GET, HEAD, OPTIONS'],
    ['GET', '/v1/users/7/cases/8', 'PUT, OPTIONS'],
  ])('%s %s is 405 and names the methods', async (method, path, allow) => {
    const answer = await ask(method, path);
    expect([answer.status, answer.allow]).toEqual([405, allow]);
    expect(problem.parse(JSON.parse(answer.body)).code).toBe('method_not_allowed');
  });

  it('HEAD has the status and the length of GET, without a body; without GET it is 405', async () => {
    const get = await ask('GET', '/v1/users/7');
    expect(await ask('HEAD', '/v1/users/7')).toEqual({ ...get, body: '' });
    const other = await ask('HEAD', '/v1/users/7/cases/8');
    expect([other.status, other.allow, other.body]).toEqual([405, 'PUT, OPTIONS', '']);
  });

  it.each(['/v1/users/%E0%A4%A', '/v1/users/%', '/v1/users/%zz/cases', '/v1/users/%FF'])(
    '%s is 400, not our fault',
    async (path) => {
      const { status, body } = await ask('GET', path);
      expect([status, problem.parse(JSON.parse(body)).code]).toEqual([400, 'invalid_parameter']);
    },
  );

  it('a failure is 500, and other paths are served after it', async () => {
    const { status, body } = await ask('GET', '/v1/users/fails');
    expect([status, problem.parse(JSON.parse(body)).code]).toEqual([500, 'internal_error']);
    expect((await ask('GET', '/page')).status).toBe(200);
  });
});
