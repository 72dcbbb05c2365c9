import { pause } from '@casewatch/platform';
import type { MonitorConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { type ScheduleClass, scheduleClasses } from '../domain/schedule-class.ts';
import type { Stores } from '../store/stores.ts';
import type { DueQueue } from './due-queue.ts';

/** How far ahead due receipts are read, and how often, ms. */
const aheadMs = 1_000;
const everyMs = 400;
/** How long the readers rest between two looks at what is to be read, ms. */
const tickMs = 50;
/** A row may be written with a date that a window has passed already: so far back one looks again, and how often, ms. */
const slackMs = 10_000;
const rewindEveryMs = 5_000;
/** A class of which less than this was found in its last look back is read that far back each time. */
const fewRows = 100;
/** From time to time everything that is due is looked at, whatever its date: a slow transaction may bring an old one. */
const lookBackMs = 120_000;

type Mark = {
  nextReadMs: number;
  rewindAtMs: number;
  /** The moment of the last look back, ms since 1970. */
  rewoundAt: number;
  lookBackAtMs: number;
  /** Where the next window begins, ms since 1970. */
  cursorMs: number;
};

type Reading = Pick<Context, 'clock' | 'log'> & {
  readonly config: Pick<MonitorConfig, 'USCIS_RATE_PER_SECOND'>;
  readonly stores: Pick<Stores, 'receipts'>;
};

export type DueWindow = {
  /** Reads what is due soon and was not read yet. */
  read(): Promise<void>;
  /** Goes on doing so, beside the sending, which must not wait for it. */
  run(signal: AbortSignal): Promise<void>;
};

/**
 * Reads due receipts in windows, class by class, each from where the last one ended: so a receipt is read about once
 * for each check, and the dead index entries of those that were checked are not walked again and again
 * (docs/architecture.md).
 */
export function createDueWindow(ctx: Reading, queue: DueQueue): DueWindow {
  const limit = Math.max(500, Math.ceil(ctx.config.USCIS_RATE_PER_SECOND * 4));
  const marks = new Map<ScheduleClass, Mark>();
  for (const name of scheduleClasses)
    marks.set(name, { nextReadMs: 0, rewindAtMs: 0, rewoundAt: 0, lookBackAtMs: 0, cursorMs: 0 });

  async function readClass(name: ScheduleClass, mark: Mark): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < mark.nextReadMs || queue.sizeOf(name) > limit / 2) return;
    mark.nextReadMs = nowMs + everyMs;
    const now = ctx.clock.now().getTime();
    const isRewound = nowMs >= mark.rewindAtMs;
    const fromMs = startOf(mark, nowMs);
    const to = new Date(now + aheadMs);
    const rows = await ctx.stores.receipts.findDue({ name, from: new Date(fromMs), to, limit });
    queue.add(rows);
    if (isRewound) {
      mark.rewindAtMs = rows.length < fewRows ? nowMs : nowMs + rewindEveryMs;
      mark.rewoundAt = now;
    }
    const last = rows.length === limit ? rows.at(-1)?.next_check_at.getTime() : undefined;
    mark.cursorMs = last ?? to.getTime();
    // There is more: it is read as soon as there is room.
    if (last !== undefined) mark.nextReadMs = nowMs;
  }

  async function read(): Promise<void> {
    if (queue.hasLost()) for (const mark of marks.values()) mark.lookBackAtMs = 0;
    for (const [name, mark] of marks) {
      try {
        await readClass(name, mark);
      } catch (error) {
        ctx.log.warn({ err: error, class: name }, 'due receipts not read');
      }
    }
  }

  return {
    read,
    async run(signal) {
      while (!signal.aborted) {
        await read();
        await pause(tickMs, signal);
      }
    },
  };
}

function startOf(mark: Mark, nowMs: number): number {
  if (nowMs >= mark.lookBackAtMs) {
    mark.lookBackAtMs = nowMs + lookBackMs;
    return 0;
  }
  if (nowMs < mark.rewindAtMs) return mark.cursorMs;
  // What was written since the last look back may be so much older than that.
  return Math.min(mark.cursorMs, mark.rewoundAt - slackMs);
}
