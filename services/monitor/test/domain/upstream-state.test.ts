import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../src/domain/outcome.ts';
import { afterOutcome, healthy, maySend, paceAt, sending } from '../../src/domain/upstream-state.ts';

const day = '2026-11-21';
const minute = 60_000;
const failed: Outcome = { outcome: 'failed', reason: 'x' };
const good: Outcome = { outcome: 'not_found', message: null };
const spike: Outcome = { outcome: 'rate_limited', kind: 'spike' };
const after = (outcomes: Outcome[], nowMs = 0, state = healthy) =>
  outcomes.reduce((before, outcome) => afterOutcome(before, { outcome, nowMs, day }), state);
const times = (count: number, outcome: Outcome) => Array.from({ length: count }, () => outcome);

describe('the breaker', () => {
  it('opens on five failures in a row, or one pair of 401', () => {
    expect(maySend(after([...times(4, failed), good, ...times(4, failed)]), 0, day)).toBeNull();
    expect(maySend(after(times(5, failed)), 0, day)).toEqual({ waitMs: minute });
    expect(maySend(after([{ outcome: 'unauthorised' }]), 0, day)).toEqual({ waitMs: minute });
  });

  it('lets one probe through after 60 s, doubling to 15 min', () => {
    let state = after(times(5, failed));
    let nowMs = minute;
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      expect(maySend(state, nowMs, day)).toBeNull();
      state = sending(state);
      expect(maySend(state, nowMs, day)).not.toBeNull();
      state = after([failed], nowMs, state);
      const waitMs = maySend(state, nowMs, day)?.waitMs ?? 0;
      waits.push(waitMs / minute);
      nowMs += waitMs;
    }
    expect(waits).toEqual([2, 4, 8, 15, 15, 15]);
    expect(maySend(after([good], nowMs, sending(state)), nowMs, day)).toBeNull();
  });
});

describe('the pace', () => {
  it('halves at a spike arrest for a minute and recovers by a tenth a minute', () => {
    const state = after([spike]);
    expect([0, minute - 1, minute, 2 * minute, 9 * minute].map((ms) => paceAt(state, ms))).toEqual([
      0.5, 0.5, 0.6, 0.7, 1,
    ]);
    expect(paceAt(after([good], minute, state), 2 * minute)).toBeCloseTo(0.7);
    expect(paceAt(after(times(9, spike)), 0)).toBe(0.1);
  });
});

describe('the quota', () => {
  it('is spent where the government says so, or ten in a row at the lowest pace do', () => {
    for (const state of [after([{ outcome: 'rate_limited', kind: 'quota' }]), after(times(14, spike))]) {
      expect(maySend(state, 0, day)).toEqual({ waitMs: 15 * minute });
      expect(maySend(state, 0, '2026-11-22')).toBeNull();
    }
    expect(maySend(after(times(8, spike)), 0, day)).toBeNull();
  });
});
