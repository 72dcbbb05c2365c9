import { describe, expect, it } from '@jest/globals';
import { createTokenBucket } from '../../src/domain/token-bucket.ts';

describe('the day’s spread', () => {
  const empty = (size: number) => {
    const bucket = createTokenBucket(size, 0);
    bucket.add(-size, 0);
    return bucket;
  };

  it('spreads what is left of the day evenly, and gives no more at one time than the bucket holds', () => {
    const bucket = empty(360);
    bucket.spread(8_640, 86_400_000, 0);
    expect(bucket.add(0, 10_000)).toBeCloseTo(1, 9);
    expect(bucket.add(0, 86_400_000)).toBe(360);
    expect(bucket.add(1, 86_400_000)).toBe(360);
  });

  it('gives faster where more is left for less time, and nothing where nothing is left or USCIS is closed', () => {
    const bucket = empty(10);
    bucket.spread(1_000, 1_000, 0);
    expect(bucket.add(0, 3)).toBe(3);
    bucket.spread(-5, 1_000, 3);
    expect(bucket.add(0, 1_000)).toBe(3);
    bucket.spread(5, 0, 1_000);
    expect(bucket.add(-1, 2_000)).toBe(2);
  });
});
