/** How long a request counts, ms: every limit is one per minute. */
export const windowMs = 60_000;

/** Requests that came this close together leave the window together, ms: it bounds what a busy caller costs. */
const slotMs = 250;

type Slot = { readonly from: number; last: number; count: number };

/**
 * What one caller did in the last minute, as at most 240 slots and one. A slot leaves a minute after its last request,
 * so that no minute, wherever it begins, holds more than the limit. Fixed windows, weighted ones and token buckets let
 * up to twice as much through around a boundary.
 */
export type SlidingWindow = { slots: Slot[]; total: number };

/** A window in which nothing has happened yet. */
export function createWindow(): SlidingWindow {
  return { slots: [], total: 0 };
}

/** Counts requests at `now` (ms on a clock that never goes back). */
export function addTo(window: SlidingWindow, count: number, now: number): void {
  const newest = window.slots.at(-1);
  if (newest && now - newest.from < slotMs) {
    newest.last = now;
    newest.count += count;
  } else {
    window.slots.push({ from: now, last: now, count });
  }
  window.total += count;
}

/** Requests of the minute before `now`. */
export function usedOf(window: SlidingWindow, now: number): number {
  const kept = window.slots.findIndex((slot) => !hasLeft(slot, now));
  const left = window.slots.splice(0, kept === -1 ? window.slots.length : kept);
  for (const { count } of left) window.total -= count;
  return window.total;
}

/** Milliseconds until the limit has more room than at `now`; 0 where nothing is counted. */
export function retryAfterMs(window: SlidingWindow, limit: number, now: number): number {
  // Beyond the limit, which the exchange between gateways may bring about, the first slots to leave make no room yet.
  let beyond = Math.max(0, usedOf(window, now) - limit);
  for (const slot of window.slots) {
    if (beyond < slot.count) return slot.last + windowMs - now;
    beyond -= slot.count;
  }
  return 0;
}

function hasLeft(slot: Slot, now: number): boolean {
  return slot.last + windowMs <= now;
}
