/** Every limit is per minute. */
export const windowMs = 60_000;

/** Requests within this time share a slot, ms. It bounds the memory of a busy caller. */
const slotMs = 250;

type Slot = { readonly from: number; last: number; count: number };

/**
 * A slot leaves one minute after its last request, so that no minute holds more than the limit. Fixed windows and token
 * buckets allow up to twice as much around a boundary (docs/adr/0008).
 */
export type SlidingWindow = { slots: Slot[]; total: number };

export function createWindow(): SlidingWindow {
  return { slots: [], total: 0 };
}

/** @param now ms on a monotonic clock */
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

export function usedOf(window: SlidingWindow, now: number): number {
  const [oldest] = window.slots;
  if (oldest === undefined || !hasExpired(oldest, now)) return window.total;
  const firstKept = window.slots.findIndex((slot) => !hasExpired(slot, now));
  const expired = window.slots.splice(0, firstKept === -1 ? window.slots.length : firstKept);
  for (const { count } of expired) window.total -= count;
  return window.total;
}

/** ms until there is more room; 0 if nothing is counted. */
export function retryAfterMs(window: SlidingWindow, limit: number, now: number): number {
  // Counts of other gateways can exceed the limit; then the first slots to leave make no room.
  let beyond = Math.max(0, usedOf(window, now) - limit);
  for (const slot of window.slots) {
    // In this order the difference of two equal times is exactly 0.
    if (beyond < slot.count) return windowMs - (now - slot.last);
    beyond -= slot.count;
  }
  return 0;
}

function hasExpired(slot: Slot, now: number): boolean {
  return slot.last + windowMs <= now;
}
