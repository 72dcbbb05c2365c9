import { describe, expect, it } from '@jest/globals';
import { digestId, dueDigest } from '../../src/firm/digest-day.ts';

const daily = { digest: 'daily', digest_at: '08:00' } as const;
const newYork = 'America/New_York';

/** The days whose digest is due while time goes by in steps of a minute: each run of the loop of any replica is one of them. */
function daysOf(
  alerts: Parameters<typeof dueDigest>[0],
  { from, hours, zone }: { from: string; hours: number; zone: string },
) {
  const days = new Map<string, string>();
  for (let minute = 0; minute < hours * 60; minute += 1) {
    const now = new Date(Date.parse(from) + minute * 60_000);
    const due = dueDigest(alerts, now, zone);
    if (due !== null && !days.has(digestId(7, due.day))) days.set(digestId(7, due.day), now.toISOString());
  }
  return [...days];
}

describe('the digest of a member', () => {
  it('is due from its time to midnight on the clocks of the member, not before and not on the day after', () => {
    const at = (time: string) => dueDigest(daily, new Date(time), newYork);
    expect(at('2026-11-25T12:59:59Z')).toBeNull();
    const until = new Date('2026-11-26T05:00:00Z');
    expect(at('2026-11-25T13:00:00Z')).toEqual({ day: '2026-11-25', until });
    expect(at('2026-11-26T04:59:59Z')).toEqual({ day: '2026-11-25', until });
    expect(at('2026-11-26T05:00:00Z')).toBeNull();
  });

  it('keeps Saturday and Sunday of the member free on weekdays, and has none where it is off', () => {
    const days = { from: '2026-11-26T00:00:00Z', hours: 6 * 24, zone: 'Pacific/Auckland' };
    const names = (alerts: Parameters<typeof dueDigest>[0]) =>
      daysOf(alerts, days).map(([id]) => id.slice('staff:7:digest:'.length));
    expect(names({ ...daily, digest: 'weekdays' })).toEqual([
      '2026-11-26',
      '2026-11-27',
      '2026-11-30',
      '2026-12-01',
      '2026-12-02',
    ]);
    expect(names(daily)).toHaveLength(7);
    expect(names({ ...daily, digest: 'off' })).toEqual([]);
  });

  it('at a time that clocks leave out is due once that day, when they have passed it', () => {
    const alerts = { digest: 'daily', digest_at: '02:30' } as const;
    expect(daysOf(alerts, { from: '2026-03-07T12:00:00Z', hours: 40, zone: newYork })).toEqual([
      ['staff:7:digest:2026-03-07', '2026-03-07T12:00:00.000Z'],
      ['staff:7:digest:2026-03-08', '2026-03-08T07:00:00.000Z'],
    ]);
  });

  it('at a time that clocks show twice is due once that day, at the first', () => {
    const alerts = { digest: 'daily', digest_at: '01:30' } as const;
    expect(daysOf(alerts, { from: '2026-11-01T04:00:00Z', hours: 24, zone: newYork })).toEqual([
      ['staff:7:digest:2026-11-01', '2026-11-01T05:30:00.000Z'],
    ]);
  });

  it('is due on a day of 23 hours until its midnight, and where midnight itself is left out', () => {
    expect(dueDigest(daily, new Date('2026-03-08T20:00:00Z'), newYork)?.until).toEqual(
      new Date('2026-03-09T04:00:00Z'),
    );
    // Beirut puts its clocks forward at midnight, from 00:00 to 01:00.
    const due = dueDigest({ ...daily, digest_at: '00:15' }, new Date('2026-03-28T22:00:00Z'), 'Asia/Beirut');
    expect(due).toEqual({ day: '2026-03-29', until: new Date('2026-03-29T21:00:00Z') });
  });

  it('comes on 29 February', () => {
    const days = daysOf(daily, { from: '2028-02-28T13:00:00Z', hours: 72, zone: newYork });
    expect(days.map(([id]) => id.slice(-5))).toEqual(['02-28', '02-29', '03-01']);
  });
});
