import { parseRetryAfter } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

describe('Retry-After', () => {
  it('is a number of seconds or a date', () => {
    const now = new Date('2026-11-21T10:00:00Z');
    expect(parseRetryAfter('120', now)).toBe(120_000);
    expect(parseRetryAfter('Sat, 21 Nov 2026 10:01:00 GMT', now)).toBe(60_000);
    expect(parseRetryAfter('Sat, 21 Nov 2026 09:00:00 GMT', now)).toBeNull();
    for (const nothing of [null, '', '-5', 'soon']) expect(parseRetryAfter(nothing, now)).toBeNull();
  });
});
