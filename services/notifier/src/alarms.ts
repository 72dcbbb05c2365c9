type Wake<Queue> = { emit(queue: Queue): unknown };

export type Alarms<Queue> = {
  /** Wakes the queue when its rows become due after `ms`. Longer waits end by the sweep. */
  set(queue: Queue, ms: number): void;
};

/** Longer waits are so imprecise that the sweep is early enough: ±20 % (domain/retry-delay.ts). */
const longestMs = 30_000;
/** Rows that become due in the same step share a timer, ms. */
const stepMs = 50;

export function createAlarms<Queue extends string>(signals: Wake<Queue>): Alarms<Queue> {
  const pending = new Set<string>();
  return {
    set(queue, ms) {
      if (ms > longestMs) return;
      const step = Math.ceil((performance.now() + ms) / stepMs);
      const key = `${queue} ${step}`;
      if (pending.has(key)) return;
      pending.add(key);
      const ring = () => {
        pending.delete(key);
        signals.emit(queue);
      };
      setTimeout(ring, step * stepMs - performance.now()).unref();
    },
  };
}
