import type { Context } from '../context.ts';
import type { DueQueue } from './due-queue.ts';

/** How far ahead due receipts are read, and how often, ms. */
const aheadMs = 1_000;
const everyMs = 250;
/** Rows that were decided on a little earlier than they were written are still seen. */
const slackMs = 10_000;
/** From time to time everything that is due is looked at, whatever its date: a slow transaction may bring an old one. */
const rewindMs = 15_000;

/**
 * Reads due receipts in windows: from the low-water mark, so that the dead index entries of those that were checked
 * already are not walked again and again (docs/architecture.md).
 */
export function createDueWindow(ctx: Context, queue: DueQueue): { read(): Promise<void> } {
  const limit = Math.max(500, Math.ceil(ctx.config.USCIS_RATE_PER_SECOND * 4));
  let nextReadMs = 0;
  let rewindAtMs = 0;
  let lowWater = new Date(0);

  return {
    async read() {
      const nowMs = performance.now();
      if (nowMs < nextReadMs || queue.size > limit / 2) return;
      nextReadMs = nowMs + everyMs;
      if (nowMs >= rewindAtMs) {
        rewindAtMs = nowMs + rewindMs;
        lowWater = new Date(0);
      }
      const now = ctx.clock.now();
      try {
        const rows = await ctx.stores.receipts.findDue({
          from: lowWater,
          to: new Date(now.getTime() + aheadMs),
          limit,
        });
        queue.add(rows);
        const last = rows.length === limit ? rows.at(-1)?.next_check_at.getTime() : undefined;
        lowWater = new Date(Math.min(last ?? Number.POSITIVE_INFINITY, now.getTime() - slackMs));
        if (last !== undefined) nextReadMs = nowMs;
      } catch (error) {
        ctx.log.warn({ err: error }, 'due receipts not read');
      }
    },
  };
}
