/** A request may be written this long after the start of its slot, ms (monitor.md, Budget). */
const maxDelayMs = 20;
/** Part of the margin that stays between two writes; the rest serves to catch up with the grid. */
const keptOfMargin = 0.5;

export type Slots = {
  intervalMs(): number;
  /** Start of the next slot on the monotonic clock, ms. A slot that is over is lost. */
  nextMs(nowMs: number): number;
  /** Whether a request of this slot may be written now: in time, and at its distance from the last write. */
  isValid(slotMs: number, nowMs: number): boolean;
  take(slotMs: number): void;
  noteWrite(nowMs: number): void;
};

type Options = { ratePerSecond: number; margin: number; startMs: number; pace: () => number };

/**
 * Spaces requests evenly, with a burst of 1. Slots stand on a grid, so that a late timer costs no rate. Two writes keep
 * half of the margin between them, for the jitter of the network.
 */
export function createSlots({ ratePerSecond, margin, startMs, pace }: Options): Slots {
  const allowedMs = () => 1_000 / (ratePerSecond * pace());
  const intervalMs = () => allowedMs() / (1 - margin);
  const leastMs = () => allowedMs() + keptOfMargin * (intervalMs() - allowedMs());
  // The former sender may have written a moment ago: the first interval stays free.
  let lastSlotMs = startMs;
  let writtenMs = startMs;
  const earliestMs = () => writtenMs + leastMs();
  return {
    intervalMs,
    nextMs(nowMs) {
      const gridMs = lastSlotMs + intervalMs();
      return Math.max(nowMs - gridMs > maxDelayMs ? nowMs : gridMs, earliestMs());
    },
    isValid: (slotMs, nowMs) => nowMs >= earliestMs() && nowMs - slotMs <= maxDelayMs,
    take(slotMs) {
      // Later slots make up for one that waited for its distance.
      const gridMs = lastSlotMs + intervalMs();
      lastSlotMs = slotMs - gridMs <= maxDelayMs ? gridMs : slotMs;
    },
    noteWrite(nowMs) {
      writtenMs = nowMs;
    },
  };
}
