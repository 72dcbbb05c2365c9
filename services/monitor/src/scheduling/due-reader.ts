import { every, type Running } from '@casewatch/platform';
import type { MonitorConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { type ScheduleClass, scheduleClasses } from '../domain/schedule-class.ts';
import type { DueReceipt } from '../store/receipts.ts';
import type { Stores } from '../store/stores.ts';
import { createClassesInUse } from './classes-in-use.ts';
import type { DueQueue } from './due-queue.ts';
import { type DueWindow, newDueWindow, readWindow, rewindEveryMs } from './due-window.ts';

/** How long the readers rest between two looks at what is to be read, ms. */
const tickMs = 50;
/** Classes of which less than this was found in their last look back and waits are read together, that far back each time. */
const fewRows = 100;

type Reading = Pick<Context, 'clock' | 'log'> & {
  readonly config: Pick<MonitorConfig, 'USCIS_RATE_PER_SECOND'>;
  readonly stores: Pick<Stores, 'receipts'>;
};

/** Reads what is due soon into the queue, beside the sending, which must not wait for it. */
export function readDueReceipts(ctx: Reading, queue: DueQueue): Running {
  return every(tickMs, createDueReader(ctx, queue), (error) => {
    ctx.log.warn({ err: error }, 'due receipts not read');
  });
}

/**
 * Reads due receipts in windows, each from where the last one ended: so a receipt is read about once for each check, and
 * the dead index entries of those that were checked are not walked again and again (docs/architecture.md). A class with
 * much to check has windows of its own; the quiet ones share theirs, since a query costs more than what it finds there.
 */
function createDueReader(ctx: Reading, queue: DueQueue): () => Promise<void> {
  const limit = Math.max(500, Math.ceil(ctx.config.USCIS_RATE_PER_SECOND * 4));
  const quiet = new Set<ScheduleClass>(scheduleClasses);
  const quietWindow = newDueWindow();
  const busy = new Map<ScheduleClass, DueWindow>();
  const inUse = createClassesInUse(ctx, rewindEveryMs);

  async function readInto(window: DueWindow, names: readonly ScheduleClass[], looksBack: boolean) {
    const rows = await readWindow(ctx, window, { names, looksBack, limit });
    if (rows) queue.add(rows);
    return rows;
  }

  /** One class's rows must not keep the others' from being read: with many it has windows of its own. */
  async function readQuiet(): Promise<void> {
    const names = busy.size === 0 ? [...quiet] : await heldAmongQuiet();
    if (names.length === 0) return;
    const rows = await readInto(quietWindow, names, true);
    if (!rows) return;
    const found = Map.groupBy(rows, (row) => row.schedule_class);
    for (const name of quiet) {
      if (isFew(name, found.get(name) ?? [])) continue;
      quiet.delete(name);
      busy.set(name, { ...quietWindow });
    }
  }

  /** Beside a busy class it costs much to read one that is empty. */
  async function heldAmongQuiet(): Promise<ScheduleClass[]> {
    const { names, isNew } = await inUse.among(quiet);
    if (isNew) quietWindow.lookBackAtMs = 0;
    return names;
  }

  async function readBusy(name: ScheduleClass, window: DueWindow): Promise<void> {
    if (queue.sizeOf(name) > limit / 2) return;
    const looksBack = performance.now() >= window.rewindAtMs;
    const rows = await readInto(window, [name], looksBack);
    if (!rows || !looksBack || !isFew(name, rows)) return;
    busy.delete(name);
    quiet.add(name);
    quietWindow.cursorMs = Math.min(quietWindow.cursorMs, window.cursorMs);
  }

  function isFew(name: ScheduleClass, found: readonly DueReceipt[]): boolean {
    return found.length < fewRows && queue.sizeOf(name) < fewRows;
  }

  return async () => {
    if (queue.hasLost()) for (const window of [quietWindow, ...busy.values()]) window.lookBackAtMs = 0;
    await readQuiet();
    for (const [name, window] of [...busy]) await readBusy(name, window);
  };
}
