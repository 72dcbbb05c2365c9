import { setTimeout as delay } from 'node:timers/promises';
import { every } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

/** A timer may end this much early, ms. */
const earlyMs = 2;

/** When each run of work that takes `workMs` began, until there are `count`. */
async function startsOf(count: number, ms: number | (() => number), workMs: number): Promise<number[]> {
  const starts: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = every(
    ms,
    async () => {
      starts.push(performance.now());
      await delay(workMs);
      if (starts.length === count) resolve();
    },
    () => {},
  );
  await promise;
  await running.stop();
  return starts;
}

const gapsOf = (starts: number[]) => starts.slice(1).map((start, i) => start - (starts[i] ?? 0));

describe('work that is repeated', () => {
  it('begins at ticks, and skips those that fall during a run', async () => {
    for (const gap of gapsOf(await startsOf(4, 60, 1))) expect(gap).toBeGreaterThan(60 - earlyMs);
    for (const gap of gapsOf(await startsOf(4, 60, 80))) expect(gap).toBeGreaterThan(120 - earlyMs);
  });

  it('waits after each run as long as a function says', async () => {
    for (const gap of gapsOf(await startsOf(4, () => 60, 80))) expect(gap).toBeGreaterThan(140 - earlyMs);
  });

  it('goes on after a failure, which is reported, and ends with its stop', async () => {
    const failures: unknown[] = [];
    let runs = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const failure = new Error('away');
    const running = every(
      1,
      async () => {
        runs += 1;
        if (runs === 3) resolve();
        throw failure;
      },
      (error) => failures.push(error),
    );
    await promise;
    await running.stop();
    const runsAtStop = runs;
    await delay(20);
    expect([runs, new Set(failures)]).toEqual([runsAtStop, new Set([failure])]);
  });
});
