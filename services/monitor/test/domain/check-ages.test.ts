import { describe, expect, it } from '@jest/globals';
import { checkAges } from '../../src/domain/check-ages.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const normal = (last_checked: Date | null) => ({ schedule_class: 'normal' as const, last_checked });

describe('checkAges', () => {
  it('gives the half, 95 % and the worst, of all and of each class', () => {
    const checks = Array.from({ length: 100 }, (_, i) => normal(ago(i + 1)));
    const ages = checkAges([...checks, { schedule_class: 'hot', last_checked: ago(7) }], [], now);
    expect(ages.by_class.normal).toEqual({ p50: 50, p95: 95, max: 100 });
    expect(ages.by_class.hot).toEqual({ p50: 7, p95: 7, max: 7 });
    expect(ages.by_class.stop).toBeNull();
    expect(ages.all?.max).toBe(100);
  });

  it('knows the worst from those that have been due longest, and leaves out who was never checked', () => {
    const ages = checkAges([normal(ago(5)), normal(null)], [normal(ago(900))], now);
    expect(ages.all).toEqual({ p50: 5, p95: 5, max: 900 });
    expect(checkAges([normal(null)], [], now).all).toBeNull();
  });
});
