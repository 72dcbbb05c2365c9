import { pause } from '@casewatch/platform';
import type { MonitorConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { type ScheduleClass, scheduleClasses } from '../domain/schedule-class.ts';
import type { DueReceipt } from '../store/receipts.ts';
import type { Stores } from '../store/stores.ts';
import { createClassesInUse } from './classes-in-use.ts';
import type { DueQueue } from './due-queue.ts';

/** How far ahead due receipts are read, and how often, ms: seldom, for a query costs more than the few rows of a short window. */
const aheadMs = 1_600;
const everyMs = 1_000;
/** How long the readers rest between two looks at what is to be read, ms. */
const tickMs = 50;
/** A row may be written with a date that a window has passed already: so far back one looks again, and how often, ms. */
const slackMs = 10_000;
const rewindEveryMs = 5_000;
/** Classes of which less than this was found in their last look back and waits are read together, that far back each time. */
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
 * Reads due receipts in windows, each from where the last one ended: so a receipt is read about once for each check, and
 * the dead index entries of those that were checked are not walked again and again (docs/architecture.md). A class with
 * much to check has windows of its own; the quiet ones share theirs, since a query costs more than what it finds there.
 */
export function createDueWindow(ctx: Reading, queue: DueQueue): DueWindow {
  const limit = Math.max(500, Math.ceil(ctx.config.USCIS_RATE_PER_SECOND * 4));
  const quiet = new Set<ScheduleClass>(scheduleClasses);
  const quietMark = newMark();
  const busy = new Map<ScheduleClass, Mark>();
  const inUse = createClassesInUse(ctx, rewindEveryMs);

  /** The next window of these classes, into the queue; null where it is not their turn yet. */
  async function readWindow(
    names: readonly ScheduleClass[],
    mark: Mark,
    looksBack: boolean,
  ): Promise<DueReceipt[] | null> {
    const nowMs = performance.now();
    if (nowMs < mark.nextReadMs) return null;
    mark.nextReadMs = nowMs + everyMs;
    const now = ctx.clock.now().getTime();
    const looksAtAll = nowMs >= mark.lookBackAtMs;
    // What was written since the last look back may be so much older than that.
    const rewoundMs = looksBack ? Math.min(mark.cursorMs, mark.rewoundAt - slackMs) : mark.cursorMs;
    const from = new Date(looksAtAll ? 0 : rewoundMs);
    const to = new Date(now + aheadMs);
    const rows = await ctx.stores.receipts.findDue({ names, from, to, limit });
    queue.add(rows);
    if (looksBack) {
      mark.rewindAtMs = nowMs + rewindEveryMs;
      mark.rewoundAt = now;
    }
    if (looksAtAll) mark.lookBackAtMs = nowMs + lookBackMs;
    const last = rows.length === limit ? rows.at(-1)?.next_check_at.getTime() : undefined;
    mark.cursorMs = last ?? to.getTime();
    // There is more: it is read as soon as there is room.
    if (last !== undefined) mark.nextReadMs = nowMs;
    return rows;
  }

  /** One class's rows must not keep the others' from being read: with many it has windows of its own. */
  async function readQuiet(): Promise<void> {
    const names = busy.size === 0 ? [...quiet] : await heldAmongQuiet();
    if (names.length === 0) return;
    const rows = await readWindow(names, quietMark, true);
    if (!rows) return;
    const found = Map.groupBy(rows, (row) => row.schedule_class);
    for (const name of quiet) {
      if (isFew(name, found.get(name) ?? [])) continue;
      quiet.delete(name);
      busy.set(name, { ...quietMark });
    }
  }

  /** Beside a busy class it costs much to read one that is empty. */
  async function heldAmongQuiet(): Promise<ScheduleClass[]> {
    const { names, isNew } = await inUse.among(quiet);
    if (isNew) quietMark.lookBackAtMs = 0;
    return names;
  }

  async function readBusy(name: ScheduleClass, mark: Mark): Promise<void> {
    if (queue.sizeOf(name) > limit / 2) return;
    const looksBack = performance.now() >= mark.rewindAtMs;
    const rows = await readWindow([name], mark, looksBack);
    if (!rows || !looksBack || !isFew(name, rows)) return;
    busy.delete(name);
    quiet.add(name);
    quietMark.cursorMs = Math.min(quietMark.cursorMs, mark.cursorMs);
  }

  function isFew(name: ScheduleClass, found: readonly DueReceipt[]): boolean {
    return found.length < fewRows && queue.sizeOf(name) < fewRows;
  }

  async function read(): Promise<void> {
    if (queue.hasLost()) for (const mark of [quietMark, ...busy.values()]) mark.lookBackAtMs = 0;
    try {
      await readQuiet();
      for (const [name, mark] of [...busy]) await readBusy(name, mark);
    } catch (error) {
      ctx.log.warn({ err: error }, 'due receipts not read');
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

function newMark(): Mark {
  return { nextReadMs: 0, rewindAtMs: 0, rewoundAt: 0, lookBackAtMs: 0, cursorMs: 0 };
}
