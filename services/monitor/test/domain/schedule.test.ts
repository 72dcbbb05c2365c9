import { describe, expect, it } from '@jest/globals';
import { isOpen, msUntilOpen, parseHours } from '../../src/domain/hours.ts';
import { classOf, isPermanentlyNotFound, nextCheckAt, overdueBefore } from '../../src/domain/schedule.ts';
import { unstretched } from '../../src/domain/stretch.ts';

const hour = 3_600_000;
const day = 24 * hour;
const now = new Date('2026-11-21T12:00:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const receipt = {
  poll_class: 'normal' as const,
  since: ago(200 * day),
  new_since: ago(300 * day),
  not_found: null,
};
const run = { first_at: ago(73 * hour), last_at: now, count: 3, message: null };

describe('classOf', () => {
  it.each([
    ['new', { new_since: ago(hour) }],
    ['normal', {}],
    ['hot', { poll_class: 'hot' as const }],
    ['new', { not_found: run, new_since: ago(6 * day) }],
    ['normal', { not_found: run, new_since: ago(8 * day) }],
    ['settling', { poll_class: 'settling' as const, since: ago(29 * day) }],
    ['slow', { poll_class: 'settling' as const, since: ago(31 * day) }],
    ['slow', { poll_class: 'slow' as const, since: ago(89 * day) }],
    ['dormant', { poll_class: 'slow' as const, since: ago(91 * day) }],
    ['stop', { poll_class: 'stop' as const, since: ago(91 * day) }],
  ])('is %s for %j', (expected, changes) => {
    expect(classOf({ ...receipt, ...changes }, now)).toBe(expected);
  });
});

describe('nextCheckAt', () => {
  const inHours = (changes: object, random: number, scale = 1, stretch = unstretched) =>
    (nextCheckAt({ ...receipt, ...changes }, now, { scale, stretch, random: () => random }).getTime() -
      now.getTime()) /
    hour;

  it('jitters the class’s interval both ways', () => {
    expect([0, 0.5, 1].map((random) => Math.round(inHours({}, random) * 10) / 10)).toEqual([19.2, 24, 28.8]);
  });

  it('looks at a decided case weekly, after 90 days monthly', () => {
    expect(inHours({ poll_class: 'slow', since: ago(89 * day) }, 0.5)).toBe(7 * 24);
    expect(inHours({ poll_class: 'slow', since: ago(91 * day) }, 0.5)).toBe(30 * 24);
  });

  it('is scaled and stretched', () => {
    expect(inHours({}, 0.5, 0.5)).toBe(12);
    expect(inHours({}, 0.5, 1, { hot: 3, others: 5 })).toBe(120);
    expect(inHours({ poll_class: 'hot' }, 0.5, 1, { hot: 3, others: 5 })).toBe(12);
  });
});

describe('isNotFoundForGood', () => {
  it('takes three over at least 72 hours', () => {
    expect(isPermanentlyNotFound(run, now, 1)).toBe(true);
    expect(isPermanentlyNotFound({ ...run, count: 2 }, now, 1)).toBe(false);
    expect(isPermanentlyNotFound({ ...run, first_at: ago(71 * hour) }, now, 1)).toBe(false);
  });
});

describe('overdueBefore', () => {
  const hoursBefore = (name: Parameters<typeof overdueBefore>[0], others = 1, hours = parseHours('')) =>
    (now.getTime() - overdueBefore(name, now, { scale: 1, stretch: { hot: 1, others }, hours }).getTime()) /
    hour;

  it('is three stretched intervals ago, at least 48 hours', () => {
    expect([hoursBefore('hot'), hoursBefore('normal'), hoursBefore('slow', 2)]).toEqual([48, 72, 42 * 24]);
  });

  it('does not count known closing hours', () => {
    // From Saturday noon back: 13 open hours a day, so 48 of them end on Tuesday (UTC) — a week has 65.
    const hours = parseHours('mon-fri 07:00-20:00 UTC');
    expect(hoursBefore('hot', 1, hours)).toBeCloseTo(16 + 3 * 24 + 9, 0);
    expect(hoursBefore('normal', 1, hours)).toBeCloseTo(7 * 24 + 16 + 7, 0);
    expect(hoursBefore('hot', 1, parseHours('mon 07:00-07:00 UTC'))).toBe(48);
  });
});

describe('opening hours', () => {
  const hours = parseHours('mon-fri 07:00-20:00 America/New_York');

  it('are those of their own time zone', () => {
    expect(isOpen(hours, new Date('2026-11-20T12:00:00Z'))).toBe(true);
    expect(isOpen(hours, new Date('2026-11-20T11:59:00Z'))).toBe(false);
    expect(isOpen(hours, new Date('2026-11-21T12:00:00Z'))).toBe(false);
    expect(isOpen(parseHours('sat-mon 22:00-06:00 UTC'), new Date('2026-11-22T23:00:00Z'))).toBe(true);
    expect(isOpen(null, now)).toBe(true);
  });

  it('say how long it is until they begin', () => {
    expect(msUntilOpen(hours, new Date('2026-11-21T12:00:00Z'))).toBe(48 * hour);
    expect(msUntilOpen(hours, new Date('2026-11-20T12:00:00Z'))).toBe(0);
  });

  it('are refused where they cannot be read', () => {
    for (const text of ['mon 7-8 UTC', 'mon 07:00-08:00 Nowhere/At_All', ''])
      expect(parseHours(text)).toBeNull();
  });
});
