import { describe, expect, it } from '@jest/globals';
import { createQuotaDays } from '../../src/domain/quota-day.ts';

const hour = 3_600_000;

describe('the quota’s day', () => {
  const moment = new Date('2026-11-21T03:00:00.500Z');

  it.each([
    ['UTC', '2026-11-21', 21 * hour - 500],
    ['America/New_York', '2026-11-20', 2 * hour - 500],
    ['Asia/Kolkata', '2026-11-21', 15.5 * hour - 500],
  ])('begins at midnight in %s', (zone, day, leftMs) => {
    const days = createQuotaDays(zone, null);
    expect(days.at(moment).day).toBe(day);
    expect(days.msUntilNext(moment)).toBe(leftMs);
    const { startsMs, endsMs } = days.at(moment);
    expect(endsMs - startsMs).toBe(24 * hour);
    expect(days.at(new Date(endsMs)).day > day).toBe(true);
    expect(days.at(new Date(startsMs)).day).toBe(day);
    expect(days.at(new Date(startsMs - 1)).day < day).toBe(true);
  });

  it('has 25 or 23 hours where the clocks are changed', () => {
    const days = createQuotaDays('America/New_York', null);
    const lengthAt = (time: string) => {
      const { startsMs, endsMs } = days.at(new Date(time));
      return (endsMs - startsMs) / hour;
    };
    expect([lengthAt('2026-11-01T12:00:00Z'), lengthAt('2026-03-08T12:00:00Z')]).toEqual([25, 23]);
  });

  it('is at its boundary for two seconds before and after midnight', () => {
    const days = createQuotaDays('UTC', null);
    const isAt = (time: string) => days.isAtBoundary(new Date(time), new Date(time));
    expect([isAt('2026-11-21T23:59:57.999Z'), isAt('2026-11-21T23:59:58.000Z')]).toEqual([false, true]);
    expect([isAt('2026-11-22T00:00:01.999Z'), isAt('2026-11-22T00:00:02.000Z')]).toEqual([true, false]);
  });

  it.each([
    ['just before the change', '2026-11-21T23:59:57.000Z', '2026-11-21T00:00:00.000Z', false],
    ['ahead over the change', '2026-11-21T23:30:00.000Z', '2026-11-22T00:00:00.000Z', true],
    ['an hour behind over the change', '2026-11-22T00:30:00.000Z', '2026-11-21T23:30:00.000Z', true],
    ['a moment behind over the change', '2026-11-22T00:00:02.500Z', '2026-11-21T23:59:59.999Z', true],
    ['an hour ahead within the day', '2026-11-21T12:00:00.000Z', '2026-11-21T13:00:00.000Z', false],
    ['an hour behind within the day', '2026-11-21T12:00:00.000Z', '2026-11-21T11:00:00.000Z', false],
    ['a year ahead', '2026-11-21T12:00:00.000Z', '2027-11-21T12:00:00.000Z', true],
  ])('is not certain while the machine shows another day: %s', (_what, now, wall, expected) => {
    expect(createQuotaDays('UTC', null).isAtBoundary(new Date(now), new Date(wall))).toBe(expected);
  });
});
