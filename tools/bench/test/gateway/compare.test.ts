import { describe, expect, it } from '@jest/globals';
import { median, ratioOf, rotated } from '../../src/kit/statistics.ts';

describe('comparing costs', () => {
  it('takes the middle value, or the mean of the two in the middle', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 2, 100])).toBe(3);
    expect(() => median([])).toThrow('no values');
  });

  it('is not moved by one round that was disturbed', () => {
    expect(ratioOf([2, 2, 90], [1, 1, 1])).toBe(2);
  });

  it('lets each begin a round in turn', () => {
    expect([0, 1, 2, 3].map((round) => rotated(['old', 'new', 'floor'], round)[0])).toEqual([
      'old',
      'new',
      'floor',
      'old',
    ]);
  });
});
