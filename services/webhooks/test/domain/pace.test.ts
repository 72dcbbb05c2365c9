import { describe, expect, it } from '@jest/globals';
import { Admission } from '../../src/domain/admission.ts';
import { concurrencyOf } from '../../src/domain/concurrency.ts';
import { Pace } from '../../src/domain/pace.ts';

describe('the concurrency of an endpoint', () => {
  it.each([
    [50, null, 2],
    [50, 10, 2],
    [50, 100, 5],
    [1_000, 30, 30],
    [5_000, 30, 64],
  ])('uses %s per second at a latency of %s ms by %s attempts', (rateLimit, latencyMs, attempts) => {
    expect(concurrencyOf(rateLimit, latencyMs)).toBe(attempts);
  });
});

describe('the pace of an endpoint', () => {
  it('follows the latency of answers, and gives an open circuit one attempt', () => {
    const pace = new Pace(1);
    for (let i = 0; i < 100; i++) pace.record({ isSuccess: true, ms: 200, now: i });
    expect(pace.hasSucceeded).toBe(true);
    expect(pace.concurrency(100)).toBe(20);
    for (let i = 0; i < 10; i++) pace.record({ isSuccess: false, ms: 15_000, now: 1_000 });
    expect({ isOpen: pace.isOpen, hasSucceeded: pace.hasSucceeded }).toEqual({
      isOpen: true,
      hasSucceeded: false,
    });
    expect(pace.concurrency(100)).toBe(1);
    expect(pace.takePermit(100, 11_000)).toBe(20_000);
    expect(pace.takePermit(100, 31_000)).toBe(0);
  });

  it('starts with the state that the database knows', () => {
    const pace = new Pace(1);
    expect(pace.hasSucceeded).toBe(false);
    pace.restore({ failures: 0, lastFailureMs: null, hasSucceeded: true });
    expect(pace.hasSucceeded).toBe(true);
  });
});

describe('admission', () => {
  it('gives each endpoint its own places, and none after the end', () => {
    const admission = new Admission();
    admission.set(1, 2);
    admission.set(2, 1);
    expect([1, 1, 1, 2, 2, 3].map((id) => admission.take(id))).toEqual([
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
    admission.set(1, 1);
    admission.close();
    admission.set(2, 1);
    expect([1, 2].map((id) => admission.take(id))).toEqual([false, false]);
  });
});
