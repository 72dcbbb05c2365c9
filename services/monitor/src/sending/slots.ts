/** Latest that a request is written after its slot began, ms (monitor.md, Budget). */
const latestMs = 20;
/** Share of the margin that two writes keep between them at least; the rest is for catching up with the grid. */
const keptOfMargin = 0.5;

export type Slots = {
  /** Distance between two slots at the pace of now, ms. */
  intervalMs(): number;
  /** When the next request may be written, ms of the monotonic clock. A slot that is over is forfeited: then it is now. */
  nextMs(nowMs: number): number;
  /** Whether a request of this slot may be written now: neither too late nor too close to the one before. */
  isKept(slotMs: number, nowMs: number): boolean;
  /** The slot was given away; the next one stands one interval later. */
  taken(slotMs: number): void;
  /** A request was written just now: the next keeps its distance from it. */
  written(nowMs: number): void;
};

type Options = { ratePerSecond: number; margin: number; startMs: number; pace: () => number };

/**
 * Spaces requests evenly: one per interval, burst 1. Slots stand on a grid, so that a late timer costs no rate; two
 * writes keep half of the margin above what the rate allows, for the jitter of the way.
 */
export function createSlots({ ratePerSecond, margin, startMs, pace }: Options): Slots {
  const allowedMs = () => 1_000 / (ratePerSecond * pace());
  const intervalMs = () => allowedMs() / (1 - margin);
  const leastMs = () => allowedMs() + keptOfMargin * (intervalMs() - allowedMs());
  // After a take-over the former sender may have written a moment ago: one interval is left free.
  let lastSlotMs = startMs;
  let writtenMs = startMs;
  // Asked anew each time: the pace may have changed since.
  const earliestMs = () => writtenMs + leastMs();
  return {
    intervalMs,
    nextMs(nowMs) {
      const gridMs = lastSlotMs + intervalMs();
      return Math.max(nowMs - gridMs > latestMs ? nowMs : gridMs, earliestMs());
    },
    isKept: (slotMs, nowMs) => nowMs >= earliestMs() && nowMs - slotMs <= latestMs,
    taken(slotMs) {
      // A slot that had to wait for its distance is made up for by those that follow.
      const gridMs = lastSlotMs + intervalMs();
      lastSlotMs = slotMs - gridMs <= latestMs ? gridMs : slotMs;
    },
    written(nowMs) {
      writtenMs = nowMs;
    },
  };
}
