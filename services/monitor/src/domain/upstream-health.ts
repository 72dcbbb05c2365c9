import { healthy, type UpstreamState } from './upstream-state.ts';

/** What is worth knowing of an UpstreamState to another process: its times are the calendar's. */
export type Health = {
  breaker: 'closed' | 'open';
  /** When the next probe may be sent, while the breaker is open. */
  probe_at: Date | null;
  probe_after_ms: number;
  /** The day whose quota the government calls spent. */
  spent_day: string | null;
  /** Share of the rate that is used. */
  pace: number;
};

/** `nowMs` is the monotonic clock's at `now`. */
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

/** The state that a sender who takes over begins with: an open breaker stays open, a slowed pace slow. */
export function restoreState(health: Health | null, nowMs: number, now: Date): UpstreamState {
  if (!health) return healthy;
  const { probe_at, probe_after_ms, spent_day, pace } = health;
  // At most a probe's longest distance: the clocks of two machines may differ by anything.
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
