import { healthy, longestRestMs, type UpstreamState } from './upstream-state.ts';

export type Health = ReturnType<typeof toHealth>;

/** The stored form of an UpstreamState, with calendar times. `nowMs`: the monotonic clock at `now`. */
export function toHealth(state: UpstreamState, pace: number, nowMs: number, now: Date) {
  const { probeAtMs, probeAfterMs, restUntilMs } = state;
  const dateOf = (ms: number) => new Date(now.getTime() + ms - nowMs);
  return {
    breaker: probeAtMs === null ? ('closed' as const) : ('open' as const),
    probe_at: probeAtMs === null ? null : dateOf(probeAtMs),
    probe_after_ms: probeAfterMs,
    rest_until: restUntilMs > nowMs ? dateOf(restUntilMs) : null,
    // The last release reads it.
    spent_day: null,
    pace,
  };
}

/** The start state of a sender: an open breaker stays open, a slow pace stays slow. */
export function restoreState(health: Health | null, nowMs: number, now: Date): UpstreamState {
  if (!health) return healthy;
  const { probe_at, probe_after_ms, rest_until, pace } = health;
  // The clocks of two machines may differ by any amount.
  const msUntil = (time: Date, mostMs: number) =>
    Math.min(Math.max(time.getTime() - now.getTime(), 0), mostMs);
  return {
    ...healthy,
    probeAtMs: probe_at ? nowMs + msUntil(probe_at, probe_after_ms) : null,
    restUntilMs: rest_until ? nowMs + msUntil(rest_until, longestRestMs) : 0,
    probeAfterMs: probe_after_ms,
    pace,
    slowUntilMs: nowMs,
  };
}
