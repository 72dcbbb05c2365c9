import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { senderAnswers } from './support/case-events.ts';
import { startWorld, type World } from './support/world.ts';

/** Long enough for all that is repeated every 5 s. What is counted does not depend on the speed of the machine. */
const windowMs = 20_000;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

it('a monitor without work costs the store at most four operations a second, and a standby one', async () => {
  const named = (name: string) => {
    const url = new URL(world.environment().MONGODB_URL ?? '');
    url.searchParams.set('appName', name);
    // With the intervals of production: shorter ones have shorter pauses.
    return { MONGODB_URL: String(url), MONITOR_INTERVAL_SCALE: '1' };
  };
  await world.startMonitor(named('sender'));
  await senderAnswers(world, { timeoutMs: 60_000 });
  await world.startMonitor(named('standby'));
  // The start is over: both have read the plan, and the standby waits for the lease.
  await waitFor(async () => (await world.stores.scheduleStats.read()) !== null, { timeoutMs: 60_000 });
  await delay(2_000);
  await world.monitorDb.command({ profile: 2 });
  await delay(windowMs);
  await world.monitorDb.command({ profile: 0 });
  const perSecond = async (appName: string) => {
    const operations = await world.monitorDb.collection('system.profile').countDocuments({ appName });
    return (operations * 1_000) / windowMs;
  };
  expect(await perSecond('sender')).toBeGreaterThan(0);
  expect(await perSecond('sender')).toBeLessThanOrEqual(4);
  expect(await perSecond('standby')).toBeLessThanOrEqual(1);
});
