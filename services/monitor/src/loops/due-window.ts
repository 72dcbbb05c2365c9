import type { Context } from '../context.ts';
import { type ScheduleClass, scheduleClasses } from '../domain/schedule-class.ts';
import type { DueQueue } from './due-queue.ts';

/** How far ahead due receipts are read, and how often, ms. */
const aheadMs = 1_000;
const everyMs = 400;
/** Rows that were decided on a little earlier than they were written are still seen. */
const slackMs = 10_000;
/** From time to time everything that is due is looked at, whatever its date: a slow transaction may bring an old one. */
const lookBackMs = 120_000;

type Mark = { nextReadMs: number; lookBackAtMs: number; lowWater: Date };

/**
 * Reads due receipts in windows, class by class: from the low-water mark, so that the dead index entries of those that
 * were checked already are not walked again and again (docs/architecture.md).
 */
export function createDueWindow(ctx: Context, queue: DueQueue): { read(): Promise<void> } {
  const limit = Math.max(500, Math.ceil(ctx.config.USCIS_RATE_PER_SECOND * 4));
  const marks = new Map<ScheduleClass, Mark>();
  for (const name of scheduleClasses)
    marks.set(name, { nextReadMs: 0, lookBackAtMs: 0, lowWater: new Date(0) });

  async function readClass(name: ScheduleClass, mark: Mark): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < mark.nextReadMs || queue.sizeOf(name) > limit / 2) return;
    mark.nextReadMs = nowMs + everyMs;
    const isLookingBack = nowMs >= mark.lookBackAtMs;
    if (isLookingBack) mark.lookBackAtMs = nowMs + lookBackMs;
    const now = ctx.clock.now();
    const rows = await ctx.stores.receipts.findDue({
      name,
      from: isLookingBack ? new Date(0) : mark.lowWater,
      to: new Date(now.getTime() + aheadMs),
      limit,
    });
    queue.add(rows);
    const last = rows.length === limit ? rows.at(-1)?.next_check_at.getTime() : undefined;
    mark.lowWater = new Date(Math.min(last ?? Number.POSITIVE_INFINITY, now.getTime() - slackMs));
    // There is more: it is read as soon as there is room.
    if (last !== undefined) mark.nextReadMs = nowMs;
  }

  return {
    async read() {
      if (queue.hasLost()) for (const mark of marks.values()) mark.lookBackAtMs = 0;
      for (const [name, mark] of marks) {
        try {
          await readClass(name, mark);
        } catch (error) {
          ctx.log.warn({ err: error, class: name }, 'due receipts not read');
        }
      }
    },
  };
}
