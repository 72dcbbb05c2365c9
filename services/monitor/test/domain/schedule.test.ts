import type { StatusFacts } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { classOfBucket, retryBucket } from '../../src/domain/buckets.ts';
import { type Hours, isOpen, msUntilOpen, parseHours } from '../../src/domain/hours.ts';
import { unknownReceipt } from '../../src/domain/receipt.ts';
import {
  bucketOf,
  isOverdue,
  isPermanentlyNotFound,
  scheduleIn,
  scheduleNext,
} from '../../src/domain/schedule.ts';
import { scheduleParams } from '../support/schedule-params.ts';

const hour = 3_600_000;
const day = 24 * hour;
const now = new Date('2026-11-21T12:00:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const showing = (status_code: string, form_type: string | null = null) =>
  ({ status_code, form_type }) as StatusFacts;
const receipt = {
  ...unknownReceipt('EAC1'),
  new_since: ago(300 * day),
  facts: showing('Case Was Received', 'I-765'),
};
const series = { first_at: ago(73 * hour), last_at: now, count: 3, message: null };

describe('bucketOf', () => {
  it.each([
    ['rate-13', {}],
    ['rate-21', { facts: showing('New Card Is Being Produced') }],
    // The same title, by form: 0.204 and 0.000243 changes a day.
    ['rate-21', { facts: showing('Case Was Approved', 'I-765') }],
    ['rate-07', { facts: showing('Case Was Approved', 'I-485J') }],
    ['rate-14', { facts: showing('Case Was Sent To The Moon') }],
    ['rate-14', { facts: null }],
    ['after-6h', { not_found: series, new_since: ago(6 * day) }],
    ['after-24h', { not_found: series, new_since: ago(8 * day) }],
    [null, { state: 'rejected' as const }],
  ])('is %s for %j', (expected, changes) => {
    const bucket = bucketOf({ ...receipt, ...changes }, now, scheduleParams);
    if (expected?.startsWith('rate-2')) expect(classOfBucket(bucket ?? '')).toBe('fast');
    else expect(bucket).toBe(expected);
  });

  it('learns: 5,000 days without a change halve the rate, so that the receipt moves a step or two', () => {
    const rates = new Map([['case_was_received I-765', { days: 5_000, changes: 0 }]]);
    expect(bucketOf(receipt, now, { rates })).toBe('rate-11');
  });
});

describe('the schedule of a receipt', () => {
  it('begins at its check', () => {
    expect(scheduleNext(receipt, now, scheduleParams)).toEqual({
      bucket: 'rate-13',
      checked_at: now,
      // More quota than receipts: the shortest interval.
      next_check_at: new Date(now.getTime() + hour / 2),
    });
  });

  it('waits 1, 2, 4 … 60 minutes where an answer cannot be recorded', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 50].map((failures) => {
      const { next_check_at } = scheduleIn(retryBucket(failures), now, scheduleParams);
      return ((next_check_at?.getTime() ?? 0) - now.getTime()) / 60_000;
    });
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });
});

describe('isPermanentlyNotFound', () => {
  it('takes three over at least 72 hours', () => {
    expect(isPermanentlyNotFound(series, now, scheduleParams)).toBe(true);
    expect(isPermanentlyNotFound({ ...series, count: 2 }, now, scheduleParams)).toBe(false);
    expect(isPermanentlyNotFound({ ...series, first_at: ago(71 * hour) }, now, scheduleParams)).toBe(false);
  });
});

describe('isOverdue', () => {
  /** Whether a receipt is overdue a minute before and after so many hours without a check. */
  const around = (hours: number, changes: object, opening = '') =>
    [-hour / 60, hour / 60].map((ms) => {
      const checked = { ...receipt, bucket: 'rate-13', last_checked: ago(hours * hour + ms) };
      const params = { ...scheduleParams, hours: parseHours(opening) };
      return isOverdue({ ...checked, ...changes }, now, params);
    });
  const isLimit = [false, true];

  it('is a receipt after three intervals, at least 48 hours', () => {
    expect(around(48, {})).toEqual(isLimit);
    expect(around(72, { not_found: series })).toEqual(isLimit);
    expect(around(96, { overdue_since: now })).toEqual([false, false]);
  });

  it('does not count known closing hours', () => {
    // A week has 65 open hours.
    const opening = 'mon-fri 07:00-20:00 UTC';
    expect(around((48 / 65) * 7 * 24, {}, opening)).toEqual(isLimit);
    expect(around((72 / 65) * 7 * 24, { not_found: series }, opening)).toEqual(isLimit);
  });
});

describe('opening hours', () => {
  const hours = parseHours('mon-fri 07:00-20:00 America/New_York') as Hours;
  const weekend = parseHours('sat-mon 22:00-24:00 UTC');

  it('are those of their own time zone', () => {
    expect(isOpen(hours, new Date('2026-11-20T12:00:00Z'))).toBe(true);
    expect(isOpen(hours, new Date('2026-11-20T11:59:00Z'))).toBe(false);
    expect(isOpen(hours, new Date('2026-11-21T12:00:00Z'))).toBe(false);
    expect(isOpen(weekend, new Date('2026-11-22T23:00:00Z'))).toBe(true);
    expect(isOpen(null, now)).toBe(true);
  });

  it('say how long it is until they begin', () => {
    expect(msUntilOpen(hours, new Date('2026-11-21T12:00:00Z'))).toBe(48 * hour);
    expect(msUntilOpen(hours, new Date('2026-11-20T12:00:00Z'))).toBe(0);
    expect(msUntilOpen(weekend, new Date('2026-11-21T12:00:00Z'))).toBe(10 * hour);
    expect(msUntilOpen(weekend, new Date('2026-11-24T00:00:00Z'))).toBe((4 * 24 + 22) * hour);
  });

  it('are refused where they cannot be read', () => {
    for (const text of ['mon 7-8 UTC', 'mon 22:00-06:00 UTC', 'mon 07:00-08:00 Nowhere/At_All', ''])
      expect(parseHours(text)).toBeNull();
  });

  it('are found by reading the local time twice, however long USCIS stays closed', () => {
    // A sender asks many times a second. A search for the opening in steps of five minutes would look some 580 times.
    const saturday = Date.parse('2026-11-21T12:00:00Z');
    for (let i = 0; i < 48; i++) {
      const at = new Date(saturday + i * (hour - 50));
      let looks = 0;
      const formatToParts: Intl.DateTimeFormat['formatToParts'] = (date) => {
        looks += 1;
        return hours.format.formatToParts(date);
      };
      const counting = { ...hours, format: { formatToParts } as Intl.DateTimeFormat };
      expect(msUntilOpen(counting, at)).toBe(48 * hour - i * (hour - 50));
      expect(looks).toBeLessThanOrEqual(2);
    }
  });
});
