import { describe, expect, it } from '@jest/globals';
import { timeText } from '../src/operations/common.ts';

describe('a time in a query', () => {
  it.each([
    '2026-01-31T09:30:00Z',
    '2026-01-31t09:30:00z',
    '2026-01-31T10:30:00+01:00',
    '2026-01-31t10:30:00.000+01:00',
    '2026-01-31t04:30:00-05:00',
  ])('may be %s', (text) => {
    expect(timeText.parse(text).toISOString()).toBe('2026-01-31T09:30:00.000Z');
  });

  it.each(['2026-01-31T10:30:00 01:00', '2026-01-31t10:30:00.123 01:00', '2026-01-31T10:30:00 0100'])(
    'with a plus sign that was not encoded says how to encode it: %s',
    (text) => {
      expect(timeText.safeParse(text).error?.issues[0]?.message).toContain('encode the plus sign as %2B');
    },
  );

  it.each([
    '2026-01-31',
    '2026-01-31 09:30:00',
    '2026-01-31T09:30:00',
    'now',
    '',
    '2026-13-31T09:30:00Z',
    ' ',
  ])('is refused without that hint: %j', (text) => {
    const message = timeText.safeParse(text).error?.issues[0]?.message;
    expect(message).toContain('must be a time of ISO 8601');
  });
});
