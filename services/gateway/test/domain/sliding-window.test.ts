import { describe, expect, it } from '@jest/globals';
import { addTo, createWindow, retryAfterMs, usedOf } from '../../src/domain/sliding-window.ts';

/** The times at which a caller gets through who tries every `stepMs` and may 10 times a minute. */
function letInAt(fromMs: number, toMs: number, stepMs: number): number[] {
  const window = createWindow();
  const times: number[] = [];
  for (let now = fromMs; now < toMs; now += stepMs) {
    if (usedOf(window, now) >= 10) continue;
    addTo(window, 1, now);
    times.push(now);
  }
  return times;
}

describe('a sliding window', () => {
  it.each([7, 100, 997, 2_500, 5_900])(
    'allows no more than the limit in any minute, for a caller who tries every %i ms',
    (stepMs) => {
      const times = letInAt(59_000, 400_000, stepMs);
      expect(times.length).toBeGreaterThan(40);
      for (const from of times) {
        expect(times.filter((time) => time >= from && time < from + 60_000).length).toBeLessThanOrEqual(10);
      }
    },
  );

  it('always accepts a caller who stays within the limit', () => {
    expect(letInAt(0, 600_000, 6_000)).toHaveLength(100);
  });

  it('says when there is more room', () => {
    const window = createWindow();
    expect(retryAfterMs(window, 10, 0)).toBe(0);
    addTo(window, 4, 1_000);
    addTo(window, 6, 5_000);
    expect([usedOf(window, 9_000), retryAfterMs(window, 10, 9_000)]).toEqual([10, 52_000]);
    expect([usedOf(window, 60_999), usedOf(window, 61_000)]).toEqual([10, 6]);
    expect(retryAfterMs(window, 10, 61_000)).toBe(4_000);
    expect(usedOf(window, 65_000)).toBe(0);
  });

  it('waits, beyond the limit, until enough has left', () => {
    const window = createWindow();
    addTo(window, 2, 1_000);
    addTo(window, 11, 2_000);
    expect(retryAfterMs(window, 10, 3_000)).toBe(59_000);
  });

  it('keeps a busy caller in 241 slots', () => {
    const window = createWindow();
    for (let now = 0; now < 180_000; now += 10) {
      usedOf(window, now);
      addTo(window, 1, now);
    }
    expect(usedOf(window, 180_000)).toBe(6_000);
    expect(window.slots.length).toBeLessThanOrEqual(241);
  });
});
