import { localTime, momentOf } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { daysBetween, quietEnd } from '../../src/domain/local-time.ts';

const night = { from: '20:00', to: '07:00' };
const zone = 'America/New_York';

describe('the end of quiet hours', () => {
  it.each([
    ['an evening of winter', '2027-01-12T03:00:00Z', '2027-01-12T12:00:00.000Z'],
    ['the minute in which they begin', '2027-01-13T01:00:00Z', '2027-01-13T12:00:00.000Z'],
    [
      'the night in which clocks go back: the hour comes twice',
      '2026-11-01T02:00:00Z',
      '2026-11-01T12:00:00.000Z',
    ],
    ['the same night, after the change', '2026-11-01T06:30:00Z', '2026-11-01T12:00:00.000Z'],
    [
      'the night in which clocks go forward: an hour is missing',
      '2027-03-14T04:00:00Z',
      '2027-03-14T11:00:00.000Z',
    ],
    ['the night to 29 February', '2028-02-29T02:00:00Z', '2028-02-29T12:00:00.000Z'],
    ['the night after 29 February', '2028-03-01T02:00:00Z', '2028-03-01T12:00:00.000Z'],
    [
      'the night after 28 February of a year without the 29th',
      '2027-03-01T02:00:00Z',
      '2027-03-01T12:00:00.000Z',
    ],
    ['the night to a new year', '2027-01-01T03:00:00Z', '2027-01-01T12:00:00.000Z'],
  ])('is when clocks show it, in %s', (_when, now, end) => {
    expect(quietEnd(night, new Date(now), zone)?.toISOString()).toBe(end);
  });

  it.each([
    ['by day', night, '2027-01-12T17:00:00Z'],
    ['in the minute in which they end', night, '2027-01-12T12:00:00Z'],
    ['where there are none', null, '2027-01-12T03:00:00Z'],
    ['where they begin when they end', { from: '07:00', to: '07:00' }, '2027-01-12T12:00:00Z'],
  ])('is none %s', (_when, hours, now) => {
    expect(quietEnd(hours, new Date(now), zone)).toBeNull();
  });

  it('is of the zone: the same moment is night in one and day in another', () => {
    const now = new Date('2027-01-12T03:00:00Z');
    expect(quietEnd(night, now, 'Asia/Kathmandu')).toBeNull();
    expect(quietEnd(night, now, 'Pacific/Honolulu')).toBeNull();
    expect(quietEnd(night, now, 'America/St_Johns')?.toISOString()).toBe('2027-01-12T10:30:00.000Z');
  });

  it('that clocks skip is when they are put forward', () => {
    const end = quietEnd({ from: '20:00', to: '02:30' }, new Date('2027-03-14T04:00:00Z'), zone);
    expect(end?.toISOString()).toBe('2027-03-14T07:00:00.000Z');
  });

  it('that clocks show twice is the first, and over after it', () => {
    const hours = { from: '20:00', to: '01:30' };
    expect(quietEnd(hours, new Date('2026-11-01T03:00:00Z'), zone)?.toISOString()).toBe(
      '2026-11-01T05:30:00.000Z',
    );
    expect(quietEnd(hours, new Date('2026-11-01T06:10:00Z'), zone)).toBeNull();
  });
});

describe('local time', () => {
  it('of every hour of a year is the same after a round trip, but for the hour that comes twice', () => {
    const start = Date.parse('2028-01-01T00:00:00Z');
    const differing = Array.from(
      { length: 366 * 24 },
      (_, hour) => new Date(start + hour * 3_600_000),
    ).filter((at) => momentOf(localTime(at, zone), zone).getTime() !== at.getTime());
    expect(differing.map((at) => at.toISOString())).toEqual(['2028-11-05T06:00:00.000Z']);
  });

  it('counts days over the change of clocks and over 29 February', () => {
    expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2);
    expect(daysBetween('2027-02-28', '2027-03-01')).toBe(1);
    expect(daysBetween('2027-03-13', '2027-03-15')).toBe(2);
  });
});
