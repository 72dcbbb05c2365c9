import { every, type Running, warning } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { Bucket } from '../domain/buckets.ts';
import { pauseMs } from '../domain/plan.ts';
import type { Upstream } from '../sending/upstream.ts';
import type { DueReceipt } from '../store/receipts.ts';
import type { DueQueue } from './due-queue.ts';

const tickMs = 100;
const searchEveryMs = 2_000;
/** Receipts are read for this time at the full rate, from all buckets together, s. */
const secondsAhead = 4;
const minRows = 20;

type ReaderContext = Pick<Context, 'clock' | 'log' | 'planner' | 'config'> & {
  readonly stores: Pick<Context['stores'], 'receipts'>;
  readonly queue: DueQueue;
  readonly upstream: Pick<Upstream, 'blockedBy'>;
};

/**
 * Each bucket is a queue by the time of the last check. A search finds the buckets whose oldest receipt can be checked; these are
 * read from there. Later reads begin where the last one ended, so that dead index entries are not walked again.
 */
export function readDueReceipts(ctx: ReaderContext): Running {
  const { clock, planner, queue } = ctx;
  const { receipts } = ctx.stores;
  /** Where to read on, in buckets that have more receipts. */
  const positions = new Map<Bucket, Date>();
  let searchAtMs = 0;
  const everyMs = pauseMs(searchEveryMs, ctx.config.MONITOR_INTERVAL_SCALE);
  const latest = (bucket: Bucket) => new Date(clock.now().getTime() - planner.plan.shortestMs(bucket));

  async function search(): Promise<void> {
    searchAtMs = performance.now() + everyMs;
    positions.clear();
    for (const { bucket, checked_at } of await receipts.oldestChecks())
      if (checked_at <= latest(bucket)) positions.set(bucket, new Date(checked_at.getTime() - 1));
  }

  async function readOn(bucket: Bucket, from: Date, limit: number): Promise<DueReceipt[]> {
    const rows = await receipts.findDue({ bucket, from, to: latest(bucket), limit });
    const last = rows.length === limit ? rows.at(-1)?.checked_at : undefined;
    // Without a later time, all are of one moment: the next search continues.
    if (last && last > from) positions.set(bucket, last);
    else positions.delete(bucket);
    return rows;
  }

  async function read(): Promise<void> {
    if (ctx.upstream.blockedBy()) return queue.clear();
    if (performance.now() >= searchAtMs) await search();
    const rows = Math.ceil((ctx.config.USCIS_RATE_PER_SECOND * secondsAhead) / Math.max(1, positions.size));
    const limit = Math.max(minRows, rows);
    const found: DueReceipt[] = [];
    for (const [bucket, from] of [...positions])
      if (queue.sizeOf(bucket) <= limit / 4) found.push(...(await readOn(bucket, from, limit)));
    // Those of all buckets at once: what is the most urgent is known only then.
    queue.add(found);
  }

  /** Without a bucket to read from, nothing happens before the next search. */
  function restMs(): number {
    return positions.size > 0 ? tickMs : Math.max(tickMs, searchAtMs - performance.now() + 1);
  }

  return every(restMs, read, warning(ctx.log, 'due receipts not read'));
}
