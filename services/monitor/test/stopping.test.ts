import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { senderAnswers, watch } from './support/case-events.ts';
import { served } from './support/government.ts';
import { startWorld, type World } from './support/world.ts';

const patience = { timeoutMs: 60_000 };

describe('a sender that stops', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  it('stores what it has counted of the statuses, and gives back the requests that it has not sent', async () => {
    const monitor = await world.startMonitor();
    await senderAnswers(world, patience);
    await world.government.set('EAC5200000001', served('Case Was Received'));
    await watch(world, 'EAC5200000001');
    const checks = async () => (await world.government.ledger('EAC5200000001')).length;
    await waitFor(async () => (await checks()) >= 4, patience);
    await monitor.stop();
    const { days = 0 } = (await world.stores.statusRates.read()).get('case_was_received I-130') ?? {};
    expect(days).toBeGreaterThan(0);
    const { interactive, background } = await world.stores.budget.read(new Date().toISOString().slice(0, 10));
    expect(interactive + background).toBe((await world.government.ledger()).length);
  });
});
