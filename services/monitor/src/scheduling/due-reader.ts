import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { Bucket } from '../domain/buckets.ts';
import type { Sender } from '../sending/sender.ts';
import type { DueQueue } from './due-queue.ts';

const tickMs = 100;
/** Time between two searches for due buckets, ms. A search costs more while MongoDB keeps many dead index entries. */
const searchEveryMs = 1_000;
const longestSearchPauseMs = 5_000;
/** While nothing is due. */
const idleSearchMs = 2_000;
const pauseForCost = 400;
/** Receipts are read for so many seconds of the rate, from all buckets that are due together. */
const secondsAhead = 4;
const leastRows = 20;
const earlyMs = 60_000;

type ReaderContext = Pick<Context, 'clock' | 'log' | 'planner'> & {
  readonly config: Pick<Context['config'], 'USCIS_RATE_PER_SECOND'>;
  readonly stores: Pick<Context['stores'], 'dueReceipts'>;
};

export function readDueReceipts(
  ctx: ReaderContext,
  queue: DueQueue,
  sender: Pick<Sender, 'blockedBy' | 'recoveries'>,
): Running {
  const read = createDueReader(ctx, queue);
  let recoveries = 0;
  const work = async () => {
    if (recoveries !== sender.recoveries()) queue.endHolds();
    recoveries = sender.recoveries();
    if (sender.blockedBy()) queue.clear();
    else await read();
  };
  return every(tickMs, work, (error) => ctx.log.warn({ err: error }, 'due receipts not read'));
}

/**
 * Each bucket is a queue by the time of the last check. A search finds the buckets whose oldest receipt is due; these are read
 * from there. Later reads begin where the last one ended, so that dead index entries are not walked again.
 */
function createDueReader({ clock, config, stores, planner }: ReaderContext, queue: DueQueue) {
  /** Where to read on, in buckets that have more receipts that are due. */
  const positions = new Map<Bucket, Date>();
  let searchAtMs = 0;
  let earlyUntilMs = 0;
  let waitMs = planner.plan().intervalMs;

  async function search(): Promise<void> {
    const startMs = performance.now();
    const now = clock.now().getTime();
    waitMs = startMs < earlyUntilMs ? planner.plan().shortestMs : planner.plan().intervalMs;
    positions.clear();
    let nextDueMs = idleSearchMs;
    for (const { bucket, checked_at } of await stores.dueReceipts.oldestChecks()) {
      const dueMs = checked_at.getTime() + waitMs(bucket) - now;
      nextDueMs = Math.min(nextDueMs, dueMs);
      // Just before the oldest: the dead index entries of former checks are not walked again.
      if (dueMs <= 0) positions.set(bucket, new Date(checked_at.getTime() - 1));
    }
    const endMs = performance.now();
    const pauseMs = Math.max(searchEveryMs, nextDueMs, (endMs - startMs) * pauseForCost);
    searchAtMs = endMs + Math.min(pauseMs, longestSearchPauseMs);
  }

  async function readOn(bucket: Bucket, from: Date, limit: number): Promise<void> {
    const to = new Date(clock.now().getTime() - waitMs(bucket));
    const rows = await stores.dueReceipts.findDue({ bucket, from, to, limit });
    queue.add(rows);
    const last = rows.length === limit ? rows.at(-1)?.checked_at : undefined;
    // Without a later time, all are of one moment: the next search continues.
    if (last && last > from) positions.set(bucket, last);
    else positions.delete(bucket);
  }

  return async () => {
    const nowMs = performance.now();
    if (queue.takeHunger()) {
      // Nothing is due although quota is free: receipts are checked early for a minute.
      if (nowMs >= earlyUntilMs) searchAtMs = nowMs;
      earlyUntilMs = nowMs + earlyMs;
    }
    if (nowMs >= searchAtMs) await search();
    const rows = Math.ceil((config.USCIS_RATE_PER_SECOND * secondsAhead) / Math.max(1, positions.size));
    const limit = Math.max(leastRows, rows);
    for (const [bucket, from] of [...positions])
      if (queue.sizeOf(bucket) <= limit / 4) await readOn(bucket, from, limit);
  };
}
