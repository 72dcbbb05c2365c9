import { Agent, request } from 'node:http';
import { drainHttp, startMetrics } from '@casewatch/platform';
import { afterAll, expect, it } from '@jest/globals';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

afterAll(() => agent.destroy());

function scrape(port: number) {
  return new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
    const sent = request({ port, path: '/metrics', agent, host: '127.0.0.1' }, (res) => {
      res.resume();
      res.once('end', () => resolve({ status: res.statusCode, connection: res.headers.connection }));
    });
    sent.once('error', reject);
    sent.end();
  });
}

it('a process that drains does not wait for the connection that Prometheus keeps', async () => {
  const metrics = await startMetrics('cases', { HOST: '127.0.0.1', METRICS_PORT: 0 });
  const { port } = metrics;
  if (port === undefined) throw new Error('metrics have no port');
  expect(await scrape(port)).toEqual({ status: 200, connection: 'keep-alive' });
  const drainMs = 4_000;
  const started = performance.now();
  await drainHttp(drainMs);
  expect(performance.now() - started).toBeLessThan(drainMs / 2);
  expect(await scrape(port)).toEqual({ status: 200, connection: 'keep-alive' });
  await metrics.stop();
});
