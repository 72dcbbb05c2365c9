import { shiftWallClock, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { created, senderAnswers, someCase } from './support/case-events.ts';
import { served } from './support/government.ts';
import { startWorld, type World } from './support/world.ts';

const hourMs = 60 * 60_000;
/** A check may be late on a busy machine; the shortest shift is longer. */
const patience = { timeoutMs: 20_000, intervalMs: 100 };

/** A zone in which no quota day begins or ends within two hours of now: there, other rules hold. */
function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  // The signs of these names are those of POSIX.
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

/** `scale`: of the shortest interval, which is half an hour at 1. */
async function startChecking(world: World, scale: number): Promise<void> {
  await world.startMonitor({
    MONITOR_INTERVAL_SCALE: String(scale),
    USCIS_QUOTA_RESET_TZ: zoneAtNoon(),
    USCIS_RATE_PER_SECOND: '20',
  });
  await senderAnswers(world, patience);
}

async function watch(world: World, receipts: readonly string[]): Promise<void> {
  for (const receipt of receipts) {
    await world.government.set(receipt, served('Case Was Received'));
    await world.publish('case.created', created(someCase(receipt), null, 'deferred'));
  }
}

async function counts({ government }: World, receipts: readonly string[]): Promise<number[]> {
  return await Promise.all(receipts.map(async (receipt) => (await government.ledger(receipt)).length));
}

async function areAsked(world: World, receipts: readonly string[], times: number): Promise<void> {
  const before = await counts(world, receipts);
  const isDone = async () =>
    (await counts(world, receipts)).every((count, i) => count >= (before[i] ?? 0) + times);
  await waitFor(isDone, { ...patience, what: `${times} checks of each receipt` });
}

describe('a monitor whose machine has another time', () => {
  it.each([25_000, -25_000, hourMs, -hourMs])(
    'goes on with its checks when the clock is set by %d ms, and when it is right again',
    async (ms) => {
      await using world = await startWorld();
      const receipts = ['CLK7000000001', 'CLK7000000002', 'CLK7000000003'];
      await startChecking(world, 0.0005);
      await watch(world, receipts);
      await areAsked(world, receipts, 2);
      const setRight = shiftWallClock(ms);
      try {
        await areAsked(world, receipts, 3);
      } finally {
        setRight();
      }
      await areAsked(world, receipts, 3);
    },
  );

  it('asks about no receipt before it is due', async () => {
    await using world = await startWorld();
    const resting = Array.from({ length: 6 }, (_, i) => `CLK710000000${i}`);
    await startChecking(world, 0.2);
    await watch(world, resting);
    const rows = world.monitorDb.collection('receipts');
    const known = { _id: { $in: resting }, facts: { $ne: null } } as object;
    await waitFor(async () => (await rows.countDocuments(known)) === resting.length, {
      ...patience,
      what: 'the first answers',
    });
    const before = await counts(world, resting);
    const setRight = shiftWallClock(hourMs);
    try {
      // New receipts are due, and found by the same search.
      for (const receipt of ['CLK7200000001', 'CLK7200000002', 'CLK7200000003']) {
        await watch(world, [receipt]);
        await waitFor(async () => (await counts(world, [receipt]))[0], { ...patience, what: receipt });
      }
    } finally {
      setRight();
    }
    expect(await counts(world, resting)).toEqual(before);
  });
});
