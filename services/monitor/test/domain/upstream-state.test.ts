import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../src/domain/outcome.ts';
import {
  afterOutcome,
  healthy,
  msUntilSend,
  paceAt,
  probeNow,
  restoreState,
  toHealth,
  withProbe,
} from '../../src/domain/upstream-state.ts';

const minute = 60_000;
const failed: Outcome = { outcome: 'failed', reason: 'x' };
const good: Outcome = { outcome: 'not_found', message: null };
const spike: Outcome = { outcome: 'rate_limited', kind: 'spike' };
const after = (outcomes: Outcome[], nowMs = 0, state = healthy) =>
  outcomes.reduce((before, outcome) => afterOutcome(before, outcome, nowMs), state);
/** Past the first one, which is borne with. */
const afterLone = (outcomes: Outcome[]) => after(outcomes, 2_000, after([spike]));
const times = (count: number, outcome: Outcome) => Array.from({ length: count }, () => outcome);

describe('the breaker', () => {
  it('opens on five failures in a row, or one pair of 401', () => {
    expect(msUntilSend(after([...times(4, failed), good, ...times(4, failed)]), 0)).toBe(0);
    expect(msUntilSend(after(times(5, failed)), 0)).toBe(minute);
    expect(msUntilSend(after([{ outcome: 'unauthorised' }]), 0)).toBe(minute);
  });

  it('lets one probe through after 60 s, doubling to 15 min', () => {
    let state = after(times(5, failed));
    let nowMs = minute;
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      expect(msUntilSend(state, nowMs)).toBe(0);
      state = withProbe(state, nowMs);
      expect(msUntilSend(state, nowMs)).toBe(10_000);
      state = after([failed], nowMs, state);
      const waitMs = msUntilSend(state, nowMs);
      waits.push(waitMs / minute);
      nowMs += waitMs;
    }
    expect(waits).toEqual([2, 4, 8, 15, 15, 15]);
    expect(msUntilSend(after([good], nowMs, withProbe(state, nowMs)), nowMs)).toBe(0);
  });
});

describe('the pace', () => {
  it('halves at the second spike arrest in a minute, for a minute, and recovers by a tenth a minute', () => {
    const state = afterLone([spike]);
    const moments = [0, minute - 1, minute, 2 * minute, 9 * minute];
    expect(moments.map((ms) => paceAt(state, 2_000 + ms))).toEqual([0.5, 0.5, 0.6, 0.7, 1]);
    expect(paceAt(after([good], minute, state), 2_000 + 2 * minute)).toBeCloseTo(0.7);
    expect(paceAt(afterLone(times(9, spike)), 2_000)).toBe(0.1);
  });

  it('is halved for one second only by a single spike arrest and those that were in progress with it', () => {
    const state = after(times(3, spike), 100, after([spike]));
    expect([100, 999, 1_000].map((ms) => paceAt(state, ms))).toEqual([0.5, 0.5, 1]);
    expect(paceAt(after([good], 500, state), 600)).toBe(0.5);
    // One a minute goes on being borne with; two are not.
    const next = after([spike], minute + 1, state);
    expect([minute + 1, minute + 1_001].map((ms) => paceAt(next, ms))).toEqual([0.5, 1]);
    expect(paceAt(after([spike], minute - 1, state), minute - 1)).toBe(0.5);
    expect(paceAt(after([spike], minute - 1, state), minute + 2_000)).toBe(0.5);
  });

  it('halves immediately where it is slow already', () => {
    const recovering = afterLone([spike]);
    const state = after([spike], 5 * minute, recovering);
    expect(paceAt(state, 5 * minute)).toBeCloseTo(paceAt(recovering, 5 * minute) / 2);
  });
});

describe('the quota', () => {
  it('is spent where the government says so, or ten in a row at the lowest pace do', () => {
    for (const state of [after([{ outcome: 'rate_limited', kind: 'quota' }]), afterLone(times(14, spike))]) {
      expect(msUntilSend(state, 2_000)).toBeGreaterThanOrEqual(15 * minute - 2_000);
    }
    expect(msUntilSend(afterLone(times(8, spike)), 2_000)).toBe(0);
  });

  it('is the reason of the open breaker until USCIS answers, or fails for another reason', () => {
    const spent = after([{ outcome: 'rate_limited', kind: 'quota' }]);
    const atProbe = 15 * minute;
    const now = new Date();
    expect(toHealth(spent, 0, now)).toMatchObject({ breaker: 'open', quota_spent: true });
    // A time-out of a request that was under way says nothing about the quota.
    expect(after([failed], 1_000, spent).isQuotaSpent).toBe(true);
    const probing = withProbe(spent, atProbe);
    expect(after([{ outcome: 'rate_limited', kind: 'quota' }], atProbe, probing).isQuotaSpent).toBe(true);
    expect(after([failed], atProbe, probing).isQuotaSpent).toBe(false);
    expect(after([good], atProbe, probing)).toMatchObject({ isQuotaSpent: false, probeAtMs: null });
    expect(after(times(5, failed)).isQuotaSpent).toBe(false);
    // The next sender knows it too.
    expect(restoreState(toHealth(spent, 0, now), 50, now).isQuotaSpent).toBe(true);
  });

  it('is asked for immediately where an operator says so, and a closed breaker stays closed', () => {
    const spent = after([{ outcome: 'rate_limited', kind: 'quota', retryAfterMs: 30 * minute }]);
    expect(msUntilSend(spent, 1_000)).toBeGreaterThan(14 * minute);
    const asked = probeNow(spent, 1_000);
    expect(msUntilSend(asked, 1_000)).toBe(0);
    // One request, not all of them.
    expect(msUntilSend(withProbe(asked, 1_000), 1_000)).toBe(10_000);
    expect(probeNow(healthy, 1_000)).toEqual(healthy);
  });
});

describe('Retry-After', () => {
  const spikeFor = (retryAfterMs: number): Outcome => ({ ...spike, retryAfterMs });

  it('is obeyed, also where answers to earlier requests arrive meanwhile', () => {
    const state = after([spikeFor(7_000), good, failed, spike]);
    expect(msUntilSend(state, 6_999)).toBe(1);
    expect(msUntilSend(state, 7_000)).toBe(0);
    expect(msUntilSend(after([spikeFor(2_000)], 0, state), 0)).toBe(7_000);
  });

  it('delays the probe of an open breaker and of a spent quota', () => {
    const closed: Outcome = { outcome: 'closed', retryAfterMs: 20 * minute };
    expect(msUntilSend(after(times(5, closed)), 0)).toBe(20 * minute);
    const quota: Outcome = { outcome: 'rate_limited', kind: 'quota', retryAfterMs: 30 * minute };
    expect(msUntilSend(after([quota]), 15 * minute)).toBe(15 * minute);
  });

  it('is an hour at most: then one request asks again', () => {
    expect(msUntilSend(after([spikeFor(86_400_000)]), 0)).toBe(60 * minute);
  });
});
