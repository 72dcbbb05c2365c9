import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  addHealth,
  createApp,
  createHttpServer,
  createLogger,
  drainHttp,
  listen,
  newContext,
  startMetrics,
} from '@casewatch/platform';
import { afterAll, expect, it } from '@jest/globals';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

afterAll(() => agent.destroy());

it('goes on answering while it drains, says so at /readyz, and closes each connection with its answer', async () => {
  const log = createLogger('cases', 'silent');
  const app = createApp({ log, contextOf: () => newContext() }, (routes) =>
    addHealth(routes, async () => true),
  );
  const http = await listen(createHttpServer(app), '127.0.0.1', 0);
  expect(await get(http.port, '/readyz')).toEqual({ status: 200, connection: 'keep-alive' });

  const drained = drainHttp(10_000);
  expect(await get(http.port, '/livez')).toEqual({ status: 200, connection: 'close' });
  expect(await get(http.port, '/readyz')).toEqual({ status: 503, connection: 'close' });
  await drained; // The last connection is closed: it need not wait for its time to pass.
  await http.stop(1_000);
});

it('a process that drains does not wait for the connection that Prometheus keeps', async () => {
  const metrics = await startMetrics('cases', { HOST: '127.0.0.1', METRICS_PORT: 0 });
  const { port } = metrics;
  if (port === undefined) throw new Error('metrics have no port');
  expect(await get(port, '/metrics')).toEqual({ status: 200, connection: 'keep-alive' });
  const drainMs = 4_000;
  const started = performance.now();
  await drainHttp(drainMs);
  expect(performance.now() - started).toBeLessThan(drainMs / 2);
  expect(await get(port, '/metrics')).toEqual({ status: 200, connection: 'keep-alive' });
  await metrics.stop();
});

function get(port: AddressInfo['port'], path: string) {
  return new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
    const sent = request({ port, path, agent, host: '127.0.0.1' }, (res) => {
      res.resume();
      res.once('end', () => resolve({ status: res.statusCode, connection: res.headers.connection }));
    });
    sent.once('error', reject);
    sent.end();
  });
}
