import { describe, expect, it } from '@jest/globals';
import { availablePerDay, type ClassCounts, capacityOf } from '../../src/domain/capacity.ts';
import { parseHours } from '../../src/domain/hours.ts';

const none: ClassCounts = { new: 0, hot: 0, normal: 0, settling: 0, slow: 0, dormant: 0, stop: 0 };
const limits = { scale: 1, availablePerDay: 10_000, maxStretch: 10 };

describe('capacityOf', () => {
  it('says what each class needs, and how many more of the same mix fit', () => {
    const capacity = capacityOf({ ...none, hot: 100, normal: 1_000, slow: 700 }, limits);
    const needOf = (name: string) => capacity.by_class.find((row) => row.class === name)?.needed_per_day;
    expect([needOf('hot'), needOf('normal'), needOf('slow'), needOf('stop')]).toEqual([600, 1_000, 100, 0]);
    expect(capacity).toMatchObject({
      watched_receipts: 1_800,
      needed_per_day: 1_700,
      stretch: { others: 1, hot: 1 },
    });
    // 9,500 of 10,000 are planned with; 1,800 receipts need 1,700.
    expect(capacity.room).toBe(Math.floor((9_500 - 1_700) / (1_700 / 1_800)));
  });

  it('stretches where the need is larger, and has no room then', () => {
    const capacity = capacityOf({ ...none, normal: 19_000 }, limits);
    expect(capacity.stretch).toEqual({ others: 2, hot: 2 });
    expect(capacity.room).toBe(0);
  });

  it('tells of room for ordinary receipts where none is watched yet', () => {
    expect(capacityOf(none, limits).room).toBe(9_500);
  });
});

describe('availablePerDay', () => {
  const upstream = { dailyBudget: 10_000, ratePerSecond: 5, margin: 0, hours: null, share: 0.85 };

  it('is the schedule’s share of the quota, or what the rate allows', () => {
    expect(availablePerDay(upstream)).toBe(8_500);
    expect(availablePerDay({ ...upstream, ratePerSecond: 0.05, margin: 0.5 })).toBeCloseTo(0.025 * 86_400, 6);
  });

  it('counts open hours only, a week’s average', () => {
    const hours = parseHours('mon-fri 08:00-20:00 UTC');
    // At 0.1 per second 12 hours allow 4,320, on five days of seven.
    expect(availablePerDay({ ...upstream, ratePerSecond: 0.1, hours })).toBeCloseTo((4_320 * 5) / 7, 6);
  });
});
