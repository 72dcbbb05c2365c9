import { healthy, type UpstreamState } from './upstream-state.ts';

/** The stored form of an UpstreamState, with calendar times. */
export type Health = {
  breaker: 'closed' | 'open';
  probe_at: Date | null;
  probe_after_ms: number;
  spent_day: string | null;
  pace: number;
};

/** `nowMs`: the monotonic clock at `now`. */
export function toHealth(state: UpstreamState, pace: number, nowMs: number, now: Date): Health {
  const { probeAtMs, probeAfterMs, spentDay } = state;
  return {
    breaker: probeAtMs === null ? 'closed' : 'open',
    probe_at: probeAtMs === null ? null : new Date(now.getTime() + probeAtMs - nowMs),
    probe_after_ms: probeAfterMs,
    spent_day: spentDay,
    pace,
  };
}

/** The start state of a sender: an open breaker stays open, a slow pace stays slow. */
export function restoreState(health: Health | null, nowMs: number, now: Date): UpstreamState {
  if (!health) return healthy;
  const { probe_at, probe_after_ms, spent_day, pace } = health;
  // The clocks of two machines may differ by any amount.
  const waitMs = probe_at ? Math.min(Math.max(probe_at.getTime() - now.getTime(), 0), probe_after_ms) : 0;
  return {
    ...healthy,
    probeAtMs: probe_at ? nowMs + waitMs : null,
    probeAfterMs: probe_after_ms,
    spentDay: spent_day,
    pace,
    slowUntilMs: nowMs,
  };
}
