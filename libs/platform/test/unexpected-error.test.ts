import { problem } from '@casewatch/contracts';
import {
  createApp,
  createHttpServer,
  createLogger,
  type HttpServer,
  listen,
  newContext,
} from '@casewatch/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

/** As a database's error reads: with a name of the store, a value of somebody's, and where it happened. */
const inside =
  'E11000 duplicate key error collection: identity.users dup key: { email_lower: "ana@example.com" }';

describe('an error that no code expected', () => {
  let server: HttpServer;
  beforeAll(async () => {
    const log = createLogger('cases', 'silent');
    const app = createApp({ log, contextOf: () => newContext() }, (routes) => {
      routes.get('/v1/fails', () => {
        throw new Error(inside);
      });
    });
    server = await listen(createHttpServer(app), '127.0.0.1', 0);
  });
  afterAll(async () => {
    await server.stop(100);
  });

  it.each(['application/json', 'application/problem+json', 'text/html'])(
    'is 500 with the sentence of the catalogue, and nothing from inside, to a caller that takes %s',
    async (accept) => {
      const response = await fetch(`http://127.0.0.1:${server.port}/v1/fails`, { headers: { accept } });
      const text = await response.text();
      const body = problem.parse(JSON.parse(text));
      expect([response.status, body.code, body.retryable]).toEqual([500, 'internal_error', false]);
      expect(body.request_id).toBe(response.headers.get('x-request-id'));
      expect(text).not.toMatch(/E11000|email_lower|ana@example|\.ts|node_modules/);
    },
  );

  it('does not end the process: the next request is answered', async () => {
    const ask = () => fetch(`http://127.0.0.1:${server.port}/v1/fails`);
    expect([(await ask()).status, (await ask()).status]).toEqual([500, 500]);
  });
});
