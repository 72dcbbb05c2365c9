import { describe, expect, it } from '@jest/globals';
import { mannWhitneyP } from '../src/kit/mann-whitney.ts';

const numbers = (count: number, of: (i: number) => number) => Array.from({ length: count }, (_, i) => of(i));

describe('the Mann-Whitney U test', () => {
  it('gives the p that tables give', () => {
    // U = 3 of 5 and 5: z = (12.5 − 3 − 0.5) / √22.916… = 1.88, p = 0.0601.
    expect(mannWhitneyP([1, 2, 3, 4, 8], [5, 6, 7, 9, 10])).toBeCloseTo(0.0601, 3);
    expect(mannWhitneyP([1, 2], [1, 2])).toBeCloseTo(1, 6);
    expect(mannWhitneyP([3, 3, 3], [3, 3, 3])).toBe(1);
  });

  it('sees a small shift in many values, and none where there is none', () => {
    const wave = (i: number) => ((i * 7919) % 1000) / 1000;
    const same = mannWhitneyP(
      numbers(500, wave),
      numbers(500, (i) => wave(i + 250)),
    );
    const shifted = mannWhitneyP(
      numbers(500, wave),
      numbers(500, (i) => wave(i) + 0.08),
    );
    expect(same).toBeGreaterThan(0.5);
    expect(shifted).toBeLessThan(0.001);
  });
});
