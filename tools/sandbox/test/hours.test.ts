import { describe, expect, it } from '@jest/globals';
import { hoursSetting, isOpen } from '../src/uscis/hours.ts';

const REAL = 'mon-fri 07:00-20:00 America/New_York';

describe('opening hours', () => {
  it.each([
    ['2026-11-20T12:00:00Z', true], // Friday 07:00 in New York, winter time
    ['2026-11-20T11:59:00Z', false],
    ['2026-07-17T11:00:00Z', true], // Friday 07:00, summer time
    ['2026-11-21T00:59:00Z', true], // still Friday 19:59
    ['2026-11-21T01:00:00Z', false],
    ['2026-11-21T15:00:00Z', false], // Saturday
  ])('of the real government at %s are open: %s', (time, open) => {
    expect(isOpen(REAL, new Date(time))).toBe(open);
  });

  it('may run over midnight and over the end of the week', () => {
    expect(isOpen('sat-mon 22:00-06:00 UTC', new Date('2026-11-22T23:00:00Z'))).toBe(true);
    expect(isOpen('sat-mon 22:00-06:00 UTC', new Date('2026-11-22T12:00:00Z'))).toBe(false);
    expect(isOpen('sat-mon 22:00-06:00 UTC', new Date('2026-11-24T23:00:00Z'))).toBe(false);
  });

  it('are checked, and empty means always', () => {
    expect(hoursSetting.safeParse('mon-fri 7-20 America/New_York').success).toBe(false);
    expect(hoursSetting.safeParse('mon-fri 07:00-20:00 Mars/Olympus').success).toBe(false);
    expect(hoursSetting.parse('')).toBeNull();
    expect(isOpen(null, new Date())).toBe(true);
  });
});
