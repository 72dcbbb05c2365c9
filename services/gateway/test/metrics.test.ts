import { freePort } from '@casewatch/testing';
import { expect, it } from '@jest/globals';
import { startTestGateway } from './support/start-gateway.ts';

it('shows its metrics on a separate port, and not to callers of the API', async () => {
  const port = await freePort();
  const gateway = await startTestGateway({ METRICS_PORT: String(port) });
  const own = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect([own.status, await own.text()]).toEqual([200, expect.stringContaining('service_name="gateway"')]);
  expect(own.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404);
  await gateway.stop();
});
