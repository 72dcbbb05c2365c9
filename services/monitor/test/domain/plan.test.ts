import { describe, expect, it } from '@jest/globals';
import { mostUrgent, planFor } from '../../src/domain/plan.ts';

const hour = 3_600_000;
const day = 24 * hour;
const many = new Map([
  ['rate-20', 100],
  ['rate-13', 10_000],
  ['rate-05', 5_000],
]);

describe('planFor', () => {
  it.each([1_000, 10_000, 100_000])('needs %d checks a day where that is what the quota allows', (perDay) => {
    expect(planFor(many, { perDay, scale: 1 }).neededPerDay(many) / perDay).toBeCloseTo(1, 2);
  });

  it('counts a deferred first check as a receipt of an unknown status, which it soon is', () => {
    const before = new Map([...many, ['deferred', 10_000]]);
    const after = new Map([...many, ['rate-14', 10_000]]);
    const [waiting, known] = [before, after].map((counts) => planFor(counts, { perDay: 5_000, scale: 1 }));
    expect((waiting?.intervalMs('rate-13') ?? 0) / (known?.intervalMs('rate-13') ?? 0)).toBeCloseTo(1, 1);
    expect((waiting?.intervalMs('deferred') ?? 0) / (known?.intervalMs('rate-14') ?? 0)).toBeCloseTo(1, 1);
    // With more quota than anything needs, an import changes nothing for the others.
    const [idle, importing] = [many, before].map((counts) =>
      planFor(counts, { perDay: 10_000_000, scale: 1 }),
    );
    expect(importing?.intervalMs('rate-13')).toBe(idle?.intervalMs('rate-13'));
  });

  it('makes intervals proportional to 1/√rate', () => {
    const plan = planFor(many, { perDay: 5_000, scale: 1 });
    expect(plan.intervalMs('rate-13') / plan.intervalMs('rate-20')).toBeCloseTo(Math.sqrt(1.6 ** 7), 1);
  });

  it('stays within 30 minutes and 30 days, and above 30 days where the quota does not suffice for them', () => {
    const intervalsAt = (perDay: number) =>
      ['rate-20', 'rate-05'].map((bucket) => planFor(many, { perDay, scale: 1 }).intervalMs(bucket));
    expect(intervalsAt(10_000_000)).toEqual([hour / 2, hour / 2]);
    expect(intervalsAt(15_100 / 60).map((ms) => Math.round(ms / day))).toEqual([60, 60]);
  });

  it('gives receipts with fixed intervals at most half of the quota', () => {
    const counts = new Map([...many, ['after-6h', 100_000], ['first', 1_000_000]]);
    const plan = planFor(counts, { perDay: 10_000, scale: 1 });
    expect(plan.intervalMs('after-6h')).toBe(6 * hour);
    expect(plan.neededPerDay(many)).toBeCloseTo(5_000, -2);
  });

  it('plans the same with a whole fleet that does not answer for three days', () => {
    const plan = planFor(many, { perDay: 5_000, scale: 1 });
    const at = (bucket: string, intervals: number) => ({
      bucket,
      checkedMs: -3 * day - intervals * plan.intervalMs(bucket),
    });
    // After the outage the most overdue come first, in intervals; a first check comes before all.
    const queue = [
      at('rate-05', 0.9),
      at('rate-20', 0.5),
      at('rate-13', 0.4),
      { bucket: 'first', checkedMs: -1 },
    ];
    const order = [];
    for (let next = mostUrgent(queue, 0, plan); next; next = mostUrgent(queue, 0, plan)) {
      order.push(next.bucket);
      queue.splice(queue.indexOf(next), 1);
    }
    expect(order).toEqual(['first', 'rate-20', 'rate-13', 'rate-05']);
  });

  it('checks receipts early, down to half an interval, where nothing is due', () => {
    const plan = planFor(many, { perDay: 5_000, scale: 1 });
    const half = plan.intervalMs('rate-13') / 2;
    expect(mostUrgent([{ bucket: 'rate-13', checkedMs: -half }], 0, plan)?.bucket).toBe('rate-13');
    expect(mostUrgent([{ bucket: 'rate-13', checkedMs: 1 - half }], 0, plan)).toBeUndefined();
    expect(mostUrgent([{ bucket: 'after-6h', checkedMs: 1 - 6 * hour }], 0, plan)).toBeUndefined();
  });

  it('does not let retries stand before receipts that are late', () => {
    const plan = planFor(many, { perDay: 5_000, scale: 1 });
    const late = { bucket: 'rate-13', checkedMs: -1.5 * plan.intervalMs('rate-13') };
    expect(mostUrgent([{ bucket: 'retry-1m', checkedMs: -10 * hour }, late], 0, plan)).toBe(late);
  });
});
