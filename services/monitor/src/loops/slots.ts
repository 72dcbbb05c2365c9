/** Latest that a request is written after its slot began, ms (monitor.md, Budget). */
const latestMs = 20;

export type Slots = {
  /** When the next request may be written, ms of the monotonic clock; never before now. */
  nextMs(nowMs: number): number;
  /** Whether a slot that began then is over. */
  isMissed(slotMs: number, nowMs: number): boolean;
  /** The slot was given away; the next begins one interval later. */
  taken(slotMs: number): void;
  /** A request was written just now: the next keeps its distance from it. */
  written(nowMs: number): void;
};

type Options = { ratePerSecond: number; margin: number; startMs: number; pace: () => number };

/**
 * Spaces requests evenly: one per interval, burst 1. Slots stand on a grid, so that a late timer costs no rate; the
 * distance between two writes keeps at least half of the margin above what the rate allows, for the jitter of the way.
 */
export function createSlots({ ratePerSecond, margin, startMs, pace }: Options): Slots {
  const intervalMs = () => 1_000 / (ratePerSecond * pace() * (1 - margin));
  const leastMs = () => 1_000 / (ratePerSecond * pace() * (1 - margin / 2));
  // After a take-over the former sender may have written a moment ago: one interval is left free.
  let next = startMs + intervalMs();
  return {
    nextMs(nowMs) {
      next = Math.max(next, nowMs);
      return next;
    },
    isMissed: (slotMs, nowMs) => nowMs - slotMs > Math.min(latestMs, intervalMs()),
    taken(slotMs) {
      next = Math.max(next, slotMs + intervalMs());
    },
    written(nowMs) {
      next = Math.max(next, nowMs + leastMs());
    },
  };
}
