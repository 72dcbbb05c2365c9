import type { Clock } from '@casewatch/platform';
import type { ScheduleClass } from '../domain/schedule-class.ts';
import type { DueReceipt } from '../store/receipts.ts';
import type { Stores } from '../store/stores.ts';

/** How far ahead a window reads, and how often, ms. */
const aheadMs = 1_600;
const everyMs = 1_000;
/** A rewind reads this span again, ms: a row may be written with a due time that a window has passed. */
const rewindSpanMs = 10_000;
export const rewindEveryMs = 5_000;
/** Interval of the full scan, ms: a slow transaction may bring an even older due time. */
const fullScanEveryMs = 120_000;

/** Position of a window; names in `Ms` are on the monotonic clock unless a comment says otherwise. */
export type DueWindow = {
  nextReadMs: number;
  rewindAtMs: number;
  rewoundAt: number;
  fullScanAtMs: number;
  cursorMs: number;
};

export function newDueWindow(): DueWindow {
  return { nextReadMs: 0, rewindAtMs: 0, rewoundAt: 0, fullScanAtMs: 0, cursorMs: 0 };
}

type WindowContext = { readonly clock: Clock; readonly stores: Pick<Stores, 'receipts'> };
type WindowQuery = { names: readonly ScheduleClass[]; isRewind: boolean; limit: number };

/** Reads the next window of these classes and advances it; null if it is not due yet. */
export async function readWindow(
  { clock, stores }: WindowContext,
  window: DueWindow,
  { names, isRewind, limit }: WindowQuery,
): Promise<DueReceipt[] | null> {
  const nowMs = performance.now();
  if (nowMs < window.nextReadMs) return null;
  window.nextReadMs = nowMs + everyMs;
  const now = clock.now().getTime();
  const isFullScan = nowMs >= window.fullScanAtMs;
  const rewoundMs = isRewind ? Math.min(window.cursorMs, window.rewoundAt - rewindSpanMs) : window.cursorMs;
  const from = new Date(isFullScan ? 0 : rewoundMs);
  const to = new Date(now + aheadMs);
  const rows = await stores.receipts.findDue({ names, from, to, limit });
  if (isRewind) {
    window.rewindAtMs = nowMs + rewindEveryMs;
    window.rewoundAt = now;
  }
  if (isFullScan) window.fullScanAtMs = nowMs + fullScanEveryMs;
  const last = rows.length === limit ? rows.at(-1)?.next_check_at.getTime() : undefined;
  window.cursorMs = last ?? to.getTime();
  // A full answer: read the rest as soon as the queue has room.
  if (last !== undefined) window.nextReadMs = nowMs;
  return rows;
}
