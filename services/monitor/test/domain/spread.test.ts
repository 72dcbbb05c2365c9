import { describe, expect, it } from '@jest/globals';
import { refilled, refillFor } from '../../src/domain/token-bucket.ts';

describe('the day’s spread', () => {
  it('gives evenly what is left of the day, and no more at once than the bucket holds', () => {
    const flow = refillFor({ checks: 8_640, openMs: 86_400_000 }, 360);
    expect(refilled({ checks: 0, atMs: 0 }, flow, 10_000).checks).toBeCloseTo(1, 9);
    expect(refilled({ checks: 0, atMs: 0 }, flow, 86_400_000).checks).toBe(360);
  });

  it('gives faster where more is left for less time, and nothing where nothing is left', () => {
    expect(refillFor({ checks: 1_000, openMs: 1_000 }, 10).perMs).toBe(1);
    expect(refillFor({ checks: -5, openMs: 1_000 }, 10).perMs).toBe(0);
    expect(refilled({ checks: 0, atMs: 0 }, refillFor({ checks: 5, openMs: 0 }, 10), 1).checks).toBe(10);
  });
});
