import type { Clock } from '@casewatch/platform';
import type { ScheduleClass } from '../domain/schedule-class.ts';
import type { DueReceipt } from '../store/receipts.ts';
import type { Stores } from '../store/stores.ts';

/** How far ahead due receipts are read, and how often, ms: seldom, for a query costs more than the few rows of a short window. */
const aheadMs = 1_600;
const everyMs = 1_000;
/** A row may be written with a date that a window has passed already: so far back one looks again, and how often, ms. */
const slackMs = 10_000;
export const rewindEveryMs = 5_000;
/** From time to time everything that is due is looked at, whatever its date: a slow transaction may bring an old one. */
const lookBackMs = 120_000;

/** Where the windows over some classes stand; `…Ms` without a unit of its own is on the monotonic clock. */
export type DueWindow = {
  nextReadMs: number;
  rewindAtMs: number;
  /** The moment of the last look back, ms since 1970. */
  rewoundAt: number;
  lookBackAtMs: number;
  /** Where the next window begins, ms since 1970. */
  cursorMs: number;
};

export function newDueWindow(): DueWindow {
  return { nextReadMs: 0, rewindAtMs: 0, rewoundAt: 0, lookBackAtMs: 0, cursorMs: 0 };
}

type Reading = { readonly clock: Clock; readonly stores: Pick<Stores, 'receipts'> };
type Read = { names: readonly ScheduleClass[]; looksBack: boolean; limit: number };

/** The rows of the next window over these classes; null where it is not their turn yet. Moves the window on. */
export async function readWindow(
  { clock, stores }: Reading,
  window: DueWindow,
  { names, looksBack, limit }: Read,
): Promise<DueReceipt[] | null> {
  const nowMs = performance.now();
  if (nowMs < window.nextReadMs) return null;
  window.nextReadMs = nowMs + everyMs;
  const now = clock.now().getTime();
  const looksAtAll = nowMs >= window.lookBackAtMs;
  // What was written since the last look back may be so much older than that.
  const rewoundMs = looksBack ? Math.min(window.cursorMs, window.rewoundAt - slackMs) : window.cursorMs;
  const from = new Date(looksAtAll ? 0 : rewoundMs);
  const to = new Date(now + aheadMs);
  const rows = await stores.receipts.findDue({ names, from, to, limit });
  if (looksBack) {
    window.rewindAtMs = nowMs + rewindEveryMs;
    window.rewoundAt = now;
  }
  if (looksAtAll) window.lookBackAtMs = nowMs + lookBackMs;
  const last = rows.length === limit ? rows.at(-1)?.next_check_at.getTime() : undefined;
  window.cursorMs = last ?? to.getTime();
  // There is more: it is read as soon as there is room.
  if (last !== undefined) window.nextReadMs = nowMs;
  return rows;
}
