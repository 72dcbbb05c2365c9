import { expect, it } from '@jest/globals';
import { laterDelayMs } from '../src/later-delay.ts';

it('tries again what had to wait, more slowly at first, and never more than five seconds later', () => {
  const waits = Array.from({ length: 60 }, (_, i) => laterDelayMs(i + 1));
  expect(waits.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 5_000]);
  expect(Math.max(...waits)).toBe(5_000);
});

it('notices within the promise of 30 s that a sibling is back which needed 20 s to recover', () => {
  let at = 0;
  for (let tries = 1; at < 20_000; tries++) at += laterDelayMs(tries);
  expect(at).toBeLessThan(30_000);
});
