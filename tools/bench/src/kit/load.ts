import { setTimeout as delay } from 'node:timers/promises';

/** Calls `task` `count` times, at most `width` at a time. */
export async function inParallel(
  count: number,
  width: number,
  task: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, work));
}

/** Calls `task` `count` times at a constant rate, however long each takes. */
export async function atRate(
  count: number,
  perSecond: number,
  task: (index: number) => Promise<unknown>,
): Promise<void> {
  const started = performance.now();
  const tasks = Array.from({ length: count }, async (_, index) => {
    await delay(Math.max(0, started + (index * 1_000) / perSecond - performance.now()));
    await task(index);
  });
  await Promise.all(tasks);
}

/** How long a task takes, ms. */
export async function timeOf(task: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await task();
  return performance.now() - started;
}
