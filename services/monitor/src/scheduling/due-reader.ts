import { every, type Running } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { Bucket } from '../domain/buckets.ts';
import type { Sender } from '../sending/sender.ts';
import type { DueQueue } from './due-queue.ts';

const tickMs = 100;
/** Time between two searches, ms. A search costs more while MongoDB keeps many dead index entries. */
const searchEveryMs = 2_000;
const longestSearchPauseMs = 5_000;
const pauseForCost = 400;
/** Receipts are read for this time at the full rate, from all buckets together, s. */
const secondsAhead = 4;
const leastRows = 20;

type ReaderContext = Pick<Context, 'clock' | 'log' | 'planner'> & {
  readonly config: Pick<Context['config'], 'USCIS_RATE_PER_SECOND'>;
  readonly stores: Pick<Context['stores'], 'dueReceipts'>;
};

export function readDueReceipts(
  ctx: ReaderContext,
  queue: DueQueue,
  sender: Pick<Sender, 'blockedBy'>,
): Running {
  const read = createDueReader(ctx, queue);
  const work = async () => {
    if (sender.blockedBy()) queue.clear();
    else await read();
  };
  return every(tickMs, work, (error) => ctx.log.warn({ err: error }, 'due receipts not read'));
}

/**
 * Each bucket is a queue by the time of the last check. A search finds the buckets whose oldest receipt can be checked; these are
 * read from there. Later reads begin where the last one ended, so that dead index entries are not walked again.
 */
function createDueReader({ clock, config, stores, planner }: ReaderContext, queue: DueQueue) {
  /** Where to read on, in buckets that have more receipts. */
  const positions = new Map<Bucket, Date>();
  let searchAtMs = 0;

  async function search(): Promise<void> {
    const startMs = performance.now();
    const now = clock.now().getTime();
    positions.clear();
    for (const { bucket, checked_at } of await stores.dueReceipts.oldestChecks()) {
      // Just before the oldest: the dead index entries of former checks are not walked again.
      if (checked_at.getTime() + planner.plan().shortestMs(bucket) <= now)
        positions.set(bucket, new Date(checked_at.getTime() - 1));
    }
    const endMs = performance.now();
    const pauseMs = Math.max(searchEveryMs, (endMs - startMs) * pauseForCost);
    searchAtMs = endMs + Math.min(pauseMs, longestSearchPauseMs);
  }

  async function readOn(bucket: Bucket, from: Date, limit: number): Promise<void> {
    const to = new Date(clock.now().getTime() - planner.plan().shortestMs(bucket));
    const rows = await stores.dueReceipts.findDue({ bucket, from, to, limit });
    queue.add(rows);
    const last = rows.length === limit ? rows.at(-1)?.checked_at : undefined;
    // Without a later time, all are of one moment: the next search continues.
    if (last && last > from) positions.set(bucket, last);
    else positions.delete(bucket);
  }

  return async () => {
    if (performance.now() >= searchAtMs) await search();
    const rows = Math.ceil((config.USCIS_RATE_PER_SECOND * secondsAhead) / Math.max(1, positions.size));
    const limit = Math.max(leastRows, rows);
    for (const [bucket, from] of [...positions])
      if (queue.sizeOf(bucket) <= limit / 4) await readOn(bucket, from, limit);
  };
}
