import { describe, expect, it } from '@jest/globals';
import { parseQuietHours, quietUntil } from '../../src/domain/quiet-hours.ts';

describe('quiet hours', () => {
  it.each([
    ['21:00-08:00', '2026-11-23T03:30:20Z', '2026-11-23T13:00:00.000Z'],
    ['21:00-08:00', '2026-11-23T02:00:00Z', '2026-11-23T13:00:00.000Z'],
    ['21:00-08:00', '2026-11-23T01:59:59Z', undefined],
    ['21:00-08:00', '2026-11-23T13:00:00Z', undefined],
    ['12:00-13:30', '2026-11-23T17:10:00Z', '2026-11-23T18:30:00.000Z'],
    ['09:00-09:00', '2026-11-23T14:00:00Z', undefined],
    // The clocks go back on 1 November, and forward on 14 March.
    ['21:00-08:00', '2026-11-01T02:00:00Z', '2026-11-01T13:00:00.000Z'],
    ['21:00-08:00', '2027-03-14T03:00:00Z', '2027-03-14T12:00:00.000Z'],
    [undefined, '2026-11-23T03:30:20Z', undefined],
  ])('of %j in New York at %s last until %j', (hours, now, until) => {
    const end = quietUntil(parseQuietHours(hours, 'America/New_York'), new Date(now));
    expect(end?.toISOString()).toBe(until);
  });

  it('are those of the partner where it has a time zone', () => {
    const hours = parseQuietHours('21:00-08:00', 'America/New_York');
    // 22:30 in New York, 19:30 in Los Angeles.
    const now = new Date('2026-11-23T03:30:00Z');
    expect(quietUntil(hours, now, null)?.toISOString()).toBe('2026-11-23T13:00:00.000Z');
    expect(quietUntil(hours, now, 'America/Los_Angeles')).toBeNull();
    const later = new Date('2026-11-23T06:30:00Z');
    expect(quietUntil(hours, later, 'America/Los_Angeles')?.toISOString()).toBe('2026-11-23T16:00:00.000Z');
  });
});
