import { every, type Running } from '@casewatch/platform';
import type { MonitorConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { type ScheduleClass, scheduleClasses } from '../domain/schedule-class.ts';
import type { DueReceipt } from '../store/receipts.ts';
import type { Stores } from '../store/stores.ts';
import { createClassesInUse } from './classes-in-use.ts';
import type { DueQueue } from './due-queue.ts';
import { type DueWindow, newDueWindow, readWindow, rewindEveryMs } from './due-window.ts';

const tickMs = 50;
/** A class is quiet if its last rewind found fewer rows and fewer are queued. Quiet classes share a query that always rewinds. */
const quietBelow = 100;

type ReaderContext = Pick<Context, 'clock' | 'log'> & {
  readonly config: Pick<MonitorConfig, 'USCIS_RATE_PER_SECOND'>;
  readonly stores: Pick<Stores, 'receipts'>;
};

export function readDueReceipts(ctx: ReaderContext, queue: DueQueue): Running {
  return every(tickMs, createDueReader(ctx, queue), (error) => {
    ctx.log.warn({ err: error }, 'due receipts not read');
  });
}

/**
 * Each window begins where the last one ended, so that dead index entries are not walked again (docs/architecture.md).
 * Quiet classes share a window, because a query costs more than the few rows it finds.
 */
function createDueReader(ctx: ReaderContext, queue: DueQueue): () => Promise<void> {
  const limit = Math.max(500, Math.ceil(ctx.config.USCIS_RATE_PER_SECOND * 4));
  const quiet = new Set<ScheduleClass>(scheduleClasses);
  const quietWindow = newDueWindow();
  const busy = new Map<ScheduleClass, DueWindow>();
  const inUse = createClassesInUse(ctx, rewindEveryMs);

  async function readInto(window: DueWindow, names: readonly ScheduleClass[], isRewind: boolean) {
    const rows = await readWindow(ctx, window, { names, isRewind, limit });
    if (rows) queue.add(rows);
    return rows;
  }

  async function readQuiet(): Promise<void> {
    const names = busy.size === 0 ? [...quiet] : await quietInUse();
    if (names.length === 0) return;
    const rows = await readInto(quietWindow, names, true);
    if (!rows) return;
    const groups = Map.groupBy(rows, (row) => row.schedule_class);
    for (const name of quiet) {
      if (isQuiet(name, groups.get(name) ?? [])) continue;
      quiet.delete(name);
      busy.set(name, { ...quietWindow });
    }
  }

  async function quietInUse(): Promise<ScheduleClass[]> {
    const { names, isNew } = await inUse.among(quiet);
    if (isNew) quietWindow.fullScanAtMs = 0;
    return names;
  }

  async function readBusy(name: ScheduleClass, window: DueWindow): Promise<void> {
    if (queue.sizeOf(name) > limit / 2) return;
    const isRewind = performance.now() >= window.rewindAtMs;
    const rows = await readInto(window, [name], isRewind);
    if (!rows || !isRewind || !isQuiet(name, rows)) return;
    busy.delete(name);
    quiet.add(name);
    quietWindow.cursorMs = Math.min(quietWindow.cursorMs, window.cursorMs);
  }

  function isQuiet(name: ScheduleClass, rows: readonly DueReceipt[]): boolean {
    return rows.length < quietBelow && queue.sizeOf(name) < quietBelow;
  }

  return async () => {
    if (queue.shouldRewind()) for (const window of [quietWindow, ...busy.values()]) window.fullScanAtMs = 0;
    await readQuiet();
    for (const [name, window] of [...busy]) await readBusy(name, window);
  };
}
