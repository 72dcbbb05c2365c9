import { describe, expect, it } from '@jest/globals';
import { parseHours } from '../../src/domain/hours.ts';
import { quotaUseOf } from '../../src/domain/quota.ts';
import { createQuotaDays } from '../../src/domain/quota-day.ts';

const quota = { daily: 10_000, share: 0.15, max: 0.3 };

describe('the quota of a day', () => {
  it('releases what live checks have not used in proportion to the part of the day that is over', () => {
    const left = (kept: number, interactive = 0) =>
      quotaUseOf(quota, { interactive, background: 8_000 }, kept).background.left;
    expect([left(1), left(0.5), left(0)]).toEqual([500, 1_250, 2_000]);
    // Live checks of 900: 600 of their share are left, half of it at noon.
    expect([left(1, 900), left(0.5, 900), left(0, 900)]).toEqual([500, 800, 1_100]);
    expect(left(1, 2_000)).toBe(0);
  });

  it('ends with the last opening hour', () => {
    const days = createQuotaDays('UTC', parseHours('mon-fri 07:00-17:00 UTC'));
    const leftAt = (time: string) => days.partLeft(new Date(`2026-11-20T${time}:00Z`));
    expect(leftAt('01:00')).toBeCloseTo(1, 6);
    expect(leftAt('12:00')).toBeCloseTo(0.5, 6);
    expect(leftAt('18:00')).toBe(0);
  });
});
