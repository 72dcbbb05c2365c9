import { describe, expect, it } from '@jest/globals';
import { maxAttempts, nextDelayMs } from '../../src/domain/retry-schedule.ts';

const usual = { error: 'http_500', retryAfterMs: null, scale: 1, fraction: 0 };
const hours = 60 * 60 * 1_000;

describe('the retry schedule', () => {
  it('has eleven attempts in about 76 hours', () => {
    const delays = [];
    for (let attempts = 1; attempts <= maxAttempts; attempts++)
      delays.push(nextDelayMs({ ...usual, attempts }));
    expect(delays).toEqual([
      5_000,
      30_000,
      300_000,
      1_800_000,
      2 * hours,
      5 * hours,
      10 * hours,
      14 * hours,
      20 * hours,
      24 * hours,
      null,
    ]);
  });

  it('adds up to a fifth and is never early', () => {
    expect(nextDelayMs({ ...usual, attempts: 1, fraction: 1 })).toBe(6_000);
    expect(nextDelayMs({ ...usual, attempts: 2, fraction: 0.5 })).toBe(33_000);
  });

  it.each(['timeout', 'http_429', 'http_502', 'http_503', 'http_504'])(
    'waits a minute at least after %s',
    (error) => {
      expect(nextDelayMs({ ...usual, error, attempts: 1 })).toBe(60_000);
      expect(nextDelayMs({ ...usual, error, attempts: 3 })).toBe(300_000);
    },
  );

  it('obeys Retry-After up to two hours beyond the delay', () => {
    expect(nextDelayMs({ ...usual, attempts: 1, retryAfterMs: 1_000 })).toBe(5_000);
    expect(nextDelayMs({ ...usual, attempts: 1, retryAfterMs: 90_000 })).toBe(90_000);
    expect(nextDelayMs({ ...usual, attempts: 1, retryAfterMs: 9 * hours })).toBe(2 * hours + 5_000);
  });
});
