import { describe, expect, it } from '@jest/globals';
import { availablePerDay, type BucketStats, capacityOf } from '../../src/domain/capacity.ts';
import { parseHours } from '../../src/domain/hours.ts';
import { planFor } from '../../src/domain/plan.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const hour = 3_600_000;

function capacity(receipts: Record<string, number>, perDay: number) {
  const stats = Object.entries(receipts).map(
    ([bucket, receipts]): BucketStats => ({
      bucket,
      receipts,
      oldest_at: new Date(now.getTime() - 5 * hour),
    }),
  );
  const plan = planFor(new Map(Object.entries(receipts)), { perDay, scale: 1 });
  return capacityOf(stats, now, { plan, perDay, scale: 1, maxMedianMs: 72 * hour });
}

describe('capacityOf', () => {
  it('plans all checks that the quota allows, and says how long receipts wait', () => {
    const { checks, planned, real } = capacity({ 'rate-20': 100, 'rate-13': 1_900 }, 2_000);
    const { needed_per_day, by_class } = checks;
    expect(needed_per_day / 2_000).toBeCloseTo(1, 2);
    expect(planned?.p50).toBeGreaterThan(86_400);
    expect(real).toEqual({ p50: 5 * 3_600, p95: 5 * 3_600 });
    expect(by_class.filter(({ receipts }) => receipts > 0)).toMatchObject([
      { class: 'medium', receipts: 1_900 },
      { class: 'fast', receipts: 100 },
    ]);
  });

  it('says how many receipts of this mix can be added before the median interval is 72 h', () => {
    expect(capacity({ 'rate-13': 1_000 }, 1_000).checks.room).toBeCloseTo(2_000, -1);
    expect(capacity({ 'rate-13': 3_001 }, 1_000).checks.room).toBe(0);
    expect(capacity({}, 1_000)).toMatchObject({ planned: null, watched_receipts: 0 });
    expect(capacity({}, 1_000).checks.room).toBeCloseTo(3_000, -1);
  });

  it('has no room for cases behind an import whose rows all wait for their first check', () => {
    const importing = capacity({ deferred: 10_000, 'rate-13': 1 }, 1_000);
    expect(importing.checks.room).toBe(0);
    expect(importing.planned?.p50).toBeGreaterThan(72 * 3_600);
    const waiting = importing.checks.by_class.find(({ class: name }) => name === 'first_check');
    expect(waiting).toMatchObject({ receipts: 10_000, needed_per_day: expect.any(Number) });
  });

  it('has room for an import of 21,000 decided cases at 10,000 requests a day', () => {
    const imported = capacity({ 'rate-00': 21_000 }, 10_000);
    expect(imported.planned?.p50).toBeLessThan(72 * 3_600);
    expect(imported.checks.room).toBeGreaterThan(0);
  });
});

describe('availablePerDay', () => {
  const upstream = { USCIS_DAILY_BUDGET: 10_000, USCIS_RATE_PER_SECOND: 5, USCIS_PACE_MARGIN: 0 };

  it('is the quota without the live checks, or what the rate allows', () => {
    expect(availablePerDay(upstream, null, 1_500)).toBe(8_500);
    const slow = { ...upstream, USCIS_RATE_PER_SECOND: 0.05, USCIS_PACE_MARGIN: 0.5 };
    expect(availablePerDay(slow, null, 0)).toBeCloseTo(0.025 * 86_400, 6);
  });

  it('counts open hours only, a week’s average', () => {
    const hours = parseHours('mon-fri 08:00-20:00 UTC');
    // At 0.1 per second 12 hours allow 4,320, on five days of seven.
    const slow = { ...upstream, USCIS_RATE_PER_SECOND: 0.1 };
    expect(availablePerDay(slow, hours, 0)).toBeCloseTo((4_320 * 5) / 7, 6);
  });
});
