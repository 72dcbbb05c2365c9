import { describe, expect, it } from '@jest/globals';
import { stagingReceipts, trafficReceipt } from '../../src/domain/staging-receipts.ts';
import {
  reportTraffic,
  type TrafficDay,
  type TrafficPlan,
  waitBeforeNext,
} from '../../src/domain/traffic.ts';

const plan: TrafficPlan = {
  days: 3,
  per_day: 100,
  every_ms: null,
  started_at: new Date('2026-11-16T12:00:00Z'),
  stopped_at: null,
};

function day(name: string, changes: Partial<TrafficDay> = {}): TrafficDay {
  return {
    day: name,
    requests: 100,
    results: { seen: 90, not_found: 5, rejected: 5 },
    first_at: new Date(`${name}T12:00:00Z`),
    last_at: new Date(`${name}T20:00:00Z`),
    ...changes,
  };
}

describe('the traffic that production access asks for', () => {
  it('goes to all fifty staging receipts, and to others that are answered 404 and 422', () => {
    expect(new Set(stagingReceipts).size).toBe(50);
    const asked = Array.from({ length: 900 }, (_, n) => trafficReceipt(n));
    const others = asked.filter((receipt) => !stagingReceipts.includes(receipt));
    expect(others).toHaveLength(90);
    expect(new Set(others).size).toBe(2);
  });

  it('is done after so many complete days without a gap', () => {
    const days = ['2026-11-16', '2026-11-17', '2026-11-18'].map((name) => day(name));
    expect(reportTraffic(plan, days)).toMatchObject({ consecutive: 3, is_done: true });
    expect(reportTraffic(plan, days.slice(0, 2))).toMatchObject({ consecutive: 2, is_done: false });
    const withGap = [...days.slice(0, 2), day('2026-11-19')];
    expect(reportTraffic(plan, withGap)).toMatchObject({ consecutive: 2, is_done: false });
  });

  it('is not complete on a day with too few requests, without answers, or without errors', () => {
    const incomplete = [
      day('2026-11-16', { requests: 89 }),
      day('2026-11-17', { results: { not_found: 100 } }),
      day('2026-11-18', { results: { seen: 100 } }),
    ];
    const { days, consecutive } = reportTraffic(plan, incomplete);
    expect(days.map(({ is_complete }) => is_complete)).toEqual([false, false, false]);
    expect(consecutive).toBe(0);
  });

  it('is spread evenly over what is left of the open hours, or as the operator says', () => {
    const hour = 3_600_000;
    expect(waitBeforeNext(plan, 0, 10 * hour)).toBe(10 * hour * 0.01);
    expect(waitBeforeNext(plan, 99, 10_000)).toBe(10_000);
    expect(waitBeforeNext(plan, 100, 10_000)).toBeNull();
    expect(waitBeforeNext(plan, 0, 1_000)).toBe(1_000);
    expect(waitBeforeNext({ ...plan, every_ms: 100 }, 50, 10 * hour)).toBe(100);
  });
});
