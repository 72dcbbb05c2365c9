/** A row may become visible so long after its due time, ms. */
const marginMs = 2_000;

/** Times on the database's clock. */
export type DueTime = ReturnType<typeof createDueTime>;

export function createDueTime() {
  let lastSweep = { time: 0, readAt: 0 };
  return {
    /** Called with the time of each sweep. */
    set(time: Date): void {
      lastSweep = { time: time.getTime(), readAt: performance.now() };
    },
    now(): Date {
      return new Date(lastSweep.time + performance.now() - lastSweep.readAt);
    },
    /** What was due before is in memory, or its queue knows that it is behind. */
    lowWater(): Date {
      return new Date(Math.max(0, lastSweep.time - marginMs));
    },
  };
}
