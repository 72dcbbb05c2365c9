import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';

const opensAt = 10;
const later = 3;

let world: World;
beforeAll(async () => {
  // Ten times the real waits: the first retry comes after 50 s, the probe after 5 minutes, on a slow machine too.
  world = await startWorld({ env: { WEBHOOKS_RETRY_SCALE: '10' } });
});
afterAll(() => world.stop());

let users = 0;
async function publish(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    users += 1;
    await world.siblings.identity.publish('user.deleted', { user_id: users, partner_id: 1, version: 2 });
  }
}

async function deliveriesTo(id: number) {
  const { body } = await world.service.call(1, 'GET', `/v1/webhooks/${id}/deliveries?limit=100`);
  return body.deliveries ?? [];
}

describe('an endpoint that failed ten times in a row', () => {
  it('is not called for later events, which wait without an attempt while others get them', async () => {
    const id = await world.subscribe(1, 'failing');
    await world.receiver.configure('failing', { status: 500 });
    await world.subscribe(1, 'witness');
    await publish(opensAt);
    await waitFor(async () => {
      const rows = await deliveriesTo(id);
      return rows.length === opensAt && rows.every(({ attempts }) => attempts.length === 1);
    });
    await publish(later);
    await world.arrived('witness', opensAt + later);
    const waiting = (await deliveriesTo(id)).slice(0, later);
    expect(waiting.map(({ attempts }) => attempts)).toEqual(Array.from({ length: later }, () => []));
    const stored = JSON.parse(await world.service.stored('deliveries')) as {
      webhook_id: number;
      attempt_count: number;
    }[];
    const counts = stored.filter((row) => row.webhook_id === id).map((row) => row.attempt_count);
    expect(counts.filter((count) => count > 0)).toHaveLength(opensAt);
    expect(await world.receiver.calls('failing')).toHaveLength(opensAt);
  });
});
