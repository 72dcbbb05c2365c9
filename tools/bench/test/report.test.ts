import { describe, expect, it } from '@jest/globals';
import { diskOf, isMet, median, quantile } from '../src/kit/report.ts';

describe('what benches report', () => {
  it('are quantiles of values in any order, and an error where there are none', () => {
    expect([0, 0.5, 0.95, 1].map((share) => quantile([4, 1, 3, 2, 5], share))).toEqual([1, 3, 5, 5]);
    expect(median([2, 90, 2])).toBe(2);
    expect(() => median([])).toThrow('no values');
  });

  it.each([
    [2, { atMost: 2 }, true],
    [2.01, { atMost: 2 }, false],
    [0.9, { atLeast: 0.9 }, true],
    [0.89, { atLeast: 0.9 }, false],
    [Number.NaN, { atMost: 2 }, false],
    [Number.NaN, { atLeast: 0.9 }, false],
  ])('is that %d meets %o: %s', (value, aim, met) => {
    expect(isMet(value, aim)).toBe(met);
  });

  it('is the disk that a folder is on', () => {
    expect(diskOf('/proc/self')).toBe('proc on proc');
    expect(diskOf('/processes')).toBe(diskOf('/'));
  });
});
