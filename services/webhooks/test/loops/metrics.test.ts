import type { Bus } from '@casewatch/platform';
import { connectAs, freePort, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';

let world: World;
let port: number;
let gateway: Bus;
beforeAll(async () => {
  port = await freePort();
  world = await startWorld({
    totalMs: 4_000,
    env: { METRICS_PORT: String(port), WEBHOOKS_RETRY_SCALE: '0.00001' },
  });
  gateway = await connectAs(world.nats, 'gateway');
});
afterAll(async () => {
  await gateway.stop();
  await world.stop();
});

const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
const shows = (line: RegExp) =>
  waitFor(async () => line.test(await read()), { what: String(line), timeoutMs: 30_000 });

async function publish(partner_id: number, user_id: number) {
  await world.siblings.identity.publish('user.deleted', { user_id, partner_id, version: 2 });
}

describe('the metrics of webhooks', () => {
  it('count deliveries by outcome, and attempts by result, without an id', async () => {
    await world.subscribe(1, 'sound');
    await world.subscribe(2, 'unsound');
    await world.receiver.configure('unsound', { status: 503 });
    await publish(1, 1);
    await publish(2, 2);
    await shows(/^webhooks_deliveries_total\{outcome="failed"\} 1$/m);
    await shows(/^webhooks_deliveries_total\{outcome="delivered"\} 1$/m);
    const text = await read();
    expect(text).toMatch(/^webhooks_attempt_duration_count\{result="delivered"\} 1$/m);
    expect(text).toMatch(/^webhooks_attempt_duration_count\{result="http_5xx"\} 11$/m);
    expect(text).not.toMatch(/evt_|unsound|webhook_id/);
  });

  it('show attempts in progress, and endpoints that fail or are disabled', async () => {
    await shows(/^webhooks_endpoints\{state="disabled"\} 0$/m);
    const hanging = await world.subscribe(3, 'hanging');
    await world.receiver.configure('hanging', { mode: 'hang' });
    await world.subscribe(4, 'gone');
    await world.receiver.configure('gone', { status: 410 });
    await publish(3, 3);
    await publish(4, 4);
    await shows(/^webhooks_in_flight 1$/m);
    // On this clock the endpoint of the test above may be disabled too.
    await shows(/^webhooks_endpoints\{state="failing"\} [12]$/m);
    await shows(/^webhooks_endpoints\{state="disabled"\} [12]$/m);
    await shows(/^webhooks_oldest_overdue 0$/m);
    const state = () => gateway.request('webhooks.state', {});
    expect((await state()).disabled).toBeGreaterThan(0);
    const isHanging = ({ id }: { id: number }) => id === hanging;
    const failing = await waitFor(async () => (await state()).failing_endpoints.find(isHanging), {
      what: 'the endpoint that hangs among those that fail',
    });
    expect(failing).toEqual({
      id: hanging,
      partner_id: 3,
      host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      failing_since: expect.any(String),
      failures: expect.any(Number),
      error: 'timeout',
    });
  });
});
