import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../src/domain/outcome.ts';
import {
  afterOutcome,
  healthy,
  msUntilSend,
  paceAt,
  restoreState,
  toHealth,
} from '../../src/domain/upstream-state.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const after = (...outcomes: Outcome[]) =>
  outcomes.reduce((state, outcome) => afterOutcome(state, outcome, 5_000), healthy);

/** As one process tells it and another, whose monotonic clock shows something else, hears it later. */
function handedOver(state: typeof healthy, afterMs: number) {
  return restoreState(toHealth(state, 5_000, now), 900_000, later(afterMs));
}

describe('what a sender that takes over begins with', () => {
  it('is a breaker that stays open until its probe', () => {
    const state = handedOver(after({ outcome: 'unauthorised' }), 15_000);
    expect(msUntilSend(state, 900_000)).toBe(45_000);
    expect(msUntilSend(state, 945_000)).toBe(0);
  });

  it('is a spent quota until its probe', () => {
    const state = handedOver(after({ outcome: 'rate_limited', kind: 'quota' }), 15_000);
    expect(msUntilSend(state, 900_000)).toBe(885_000);
  });

  it('is the slowed pace, but not that of a moment', () => {
    const spike: Outcome = { outcome: 'rate_limited', kind: 'spike' };
    const lone = afterOutcome(healthy, spike, 3_000);
    expect(paceAt(handedOver(lone, 0), 900_000)).toBe(1);
    const state = handedOver(afterOutcome(lone, spike, 5_000), 0);
    expect(paceAt(state, 900_000)).toBeLessThan(0.7);
    expect(paceAt(state, 900_000 + 10 * 60_000)).toBe(1);
  });

  it('is the wait that USCIS asked for', () => {
    const state = after({ outcome: 'rate_limited', kind: 'spike', retryAfterMs: 60_000 });
    expect(msUntilSend(handedOver(state, 15_000), 900_000)).toBe(45_000);
    expect(msUntilSend(handedOver(state, 60_000), 900_000)).toBe(0);
  });

  it('is nothing where all is well, or nobody sent before', () => {
    expect(msUntilSend(handedOver(healthy, 0), 900_000)).toBe(0);
    expect(restoreState(null, 0, now)).toBe(healthy);
  });
});
