/** A request may be written this long after the start of its slot, ms (monitor.md, Budget). */
export const maxDelayMs = 20;
/** Slots make up for a delay of at most this time, ms: the writes of a busy second. */
const madeUpMs = 250;
/** Part of the margin that stays between two writes; the rest serves to catch up with the grid. */
const keptOfMargin = 0.5;

export type Slots = ReturnType<typeof createSlots>;

type Options = { ratePerSecond: number; margin: number; startMs: number; pace: () => number };

/** Spaces requests evenly on a grid, with a burst of 1. Two writes keep half of the margin, for the jitter of the network. */
export function createSlots({ ratePerSecond, margin, startMs, pace }: Options) {
  const allowedMs = () => 1_000 / (ratePerSecond * pace());
  const intervalMs = () => allowedMs() / (1 - margin);
  const minMs = () => allowedMs() + keptOfMargin * (intervalMs() - allowedMs());
  // The former sender may have written a moment ago: the first interval stays free.
  let lastSlotMs = startMs;
  let writtenMs = startMs;
  const earliestMs = () => writtenMs + minMs();
  return {
    /** Start of the next slot on the monotonic clock, ms; not before `nowMs`. */
    nextMs: (nowMs: number) => Math.max(lastSlotMs + intervalMs(), earliestMs(), nowMs),
    /** Whether a request of this slot may be written now: not before it, in time, and at its distance from the last write. */
    isValid: (slotMs: number, nowMs: number) =>
      nowMs >= slotMs && nowMs >= earliestMs() && nowMs - slotMs <= maxDelayMs,
    take(slotMs: number): void {
      // Later slots make up for this one, at the least distance.
      lastSlotMs = Math.max(lastSlotMs + intervalMs(), slotMs - madeUpMs);
    },
    noteWrite(nowMs: number): void {
      writtenMs = nowMs;
    },
  };
}
