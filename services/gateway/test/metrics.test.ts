import { connectAs, freePort } from '@casewatch/testing';
import { expect, it } from '@jest/globals';
import { startTestGateway } from './support/start-gateway.ts';

it('shows its metrics on a port of their own, and not to those who call the API', async () => {
  const port = await freePort();
  const gateway = await startTestGateway({ METRICS_PORT: String(port) });
  const own = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect([own.status, await own.text()]).toEqual([200, expect.stringContaining('service_name="gateway"')]);
  expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404);
  await gateway.stop();
});

it('shows operators freshness, quota and intervals beside the metrics, and no one else', async () => {
  const port = await freePort();
  const gateway = await startTestGateway({ METRICS_PORT: String(port) });
  const address = `http://127.0.0.1:${port}/`;
  const away = await fetch(address);
  expect([away.status, await away.text()]).toEqual([503, expect.stringContaining('Not available')]);
  const monitor = await connectAs(gateway.nats, 'monitor');
  monitor.serve('monitor.status', async () => ({
    upstream: 'unreachable',
    sending: true,
    paused: false,
    freshness: { p50_seconds: 90, p95_seconds: 7_200 },
    overdue_receipts: 4,
    capacity: null,
    planned_interval: { p50_seconds: 600, p95_seconds: 86_400 },
    real_interval: null,
    accepts_new_cases: false,
    watched_receipts: 1_234,
    used_today: 250,
    daily_budget: 1_000,
    as_of: '2026-11-23T12:00:00.000Z',
  }));
  await monitor.connection.flush();
  const page = await fetch(address);
  const text = await page.text();
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([
    200,
    expect.stringContaining("default-src 'none'"),
  ]);
  for (const part of ['USCIS does not answer', '1,234', '1.5 min', '2 h', '250 of 1000 checks (25 %)', '1 d'])
    expect(text).toContain(part);
  expect(text).toContain('New cases are refused');
  const [, sheet = ''] = /href="(\/assets\/[^"]+)"/.exec(text) ?? [];
  expect((await fetch(new URL(sheet, address))).status).toBe(200);
  expect(await (await fetch(gateway.url)).text()).not.toContain('USCIS does not answer');
  await monitor.stop();
  await gateway.stop();
});
