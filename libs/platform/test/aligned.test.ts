import { alignedMs } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

describe('an aligned pause', () => {
  it.each([1_000, 2_500, 60_000])('of %d ms ends at a multiple of that, and is not longer', (ms) => {
    const before = performance.now();
    const waitMs = alignedMs(ms);
    const endsAt = performance.now() + waitMs;
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(ms + 1);
    // The clock went on during the call.
    expect(endsAt % ms).toBeLessThanOrEqual(2 + (endsAt - waitMs - before));
  });

  it('is as long as asked below a second', () => {
    expect(alignedMs(250)).toBe(250);
  });
});
