import type { Outcome } from './outcome.ts';

const minuteMs = 60_000;
const firstProbeMs = minuteMs;
const longestProbeMs = 15 * minuteMs;
const failuresToOpen = 5;
const lowestPace = 0.1;
const spikesToSpend = 10;
/** After a lone spike arrest the pace is halved for so long; others that come meanwhile were under way already, ms. */
const easedMs = 1_000;
/** A spike arrest so long after the last one, at the full pace, is a lone one, ms. */
const loneAfterMs = minuteMs;

/**
 * How the government's service fares, as far as we can tell: breaker, pace and quota (monitor.md). All times are
 * milliseconds of one monotonic clock.
 */
export type UpstreamState = {
  failuresInARow: number;
  /** The breaker is open until a probe succeeds; null = closed. */
  probeAtMs: number | null;
  probeAfterMs: number;
  isProbing: boolean;
  /** Share of the rate that is used, since a spike arrest. */
  pace: number;
  slowUntilMs: number;
  spikesAtLowest: number;
  /** Until when the pace is halved after a lone spike arrest. */
  easedUntilMs: number;
  /** The day whose quota the government calls spent. */
  spentDay: string | null;
};

export const healthy: UpstreamState = {
  failuresInARow: 0,
  probeAtMs: null,
  probeAfterMs: firstProbeMs,
  isProbing: false,
  pace: 1,
  slowUntilMs: 0,
  spikesAtLowest: 0,
  easedUntilMs: Number.NEGATIVE_INFINITY,
  spentDay: null,
};

/** The state after one outcome. `day` is the quota's. */
export function afterOutcome(
  state: UpstreamState,
  { outcome, nowMs, day }: { outcome: Outcome; nowMs: number; day: string },
): UpstreamState {
  switch (outcome.outcome) {
    case 'failed':
    case 'closed':
      return afterFailure(state, nowMs, failuresToOpen);
    case 'unauthorised':
      return afterFailure(state, nowMs, 1);
    case 'rate_limited':
      return outcome.kind === 'quota' ? afterSpentQuota(state, nowMs, day) : afterSpike(state, nowMs, day);
    default:
      return { ...healthy, ...slownessOf(state) };
  }
}

/** Whether a request may be sent, and if not, in how many milliseconds it is worth asking again. */
export function maySend(state: UpstreamState, nowMs: number, day: string): { waitMs: number } | null {
  if (state.probeAtMs === null) return null;
  if (state.spentDay !== null && state.spentDay !== day) return null;
  if (state.isProbing) return { waitMs: 1_000 };
  return nowMs < state.probeAtMs ? { waitMs: state.probeAtMs - nowMs } : null;
}

/** The state while one request is under way: with an open breaker it is the only one. */
export function withProbe(state: UpstreamState): UpstreamState {
  return state.probeAtMs === null ? state : { ...state, isProbing: true };
}

/** A turn that came to nothing: the next one may probe. */
export function withoutProbe(state: UpstreamState): UpstreamState {
  return { ...state, isProbing: false };
}

/** Share of the rate to use now. */
export function paceAt(state: UpstreamState, nowMs: number): number {
  return lastingPaceAt(state, nowMs) * (nowMs < state.easedUntilMs ? 0.5 : 1);
}

/** The same without the moment after a lone spike: halved for a minute, then a tenth more with each minute. */
export function lastingPaceAt(state: UpstreamState, nowMs: number): number {
  if (state.pace === 1 || nowMs < state.slowUntilMs) return state.pace;
  const steps = Math.floor((nowMs - state.slowUntilMs) / minuteMs) + 1;
  return Math.min(1, state.pace + steps / 10);
}

function afterFailure(state: UpstreamState, nowMs: number, enough: number): UpstreamState {
  const failuresInARow = state.failuresInARow + 1;
  const failed = { ...state, failuresInARow, isProbing: false, spentDay: null };
  if (state.probeAtMs !== null) {
    // Requests that were under way when it opened tell nothing new; a failed probe does.
    if (!state.isProbing && nowMs < state.probeAtMs) return { ...failed, probeAtMs: state.probeAtMs };
    const probeAfterMs = Math.min(state.probeAfterMs * 2, longestProbeMs);
    return { ...failed, probeAfterMs, probeAtMs: nowMs + probeAfterMs };
  }
  return failuresInARow < enough ? failed : { ...failed, probeAtMs: nowMs + firstProbeMs };
}

/**
 * The first spike arrest in a minute says that two requests met on their way, not that the pace is wrong; the second
 * one says it is (docs/adr/0024).
 */
function afterSpike(state: UpstreamState, nowMs: number, day: string): UpstreamState {
  const paceNow = lastingPaceAt(state, nowMs);
  const isOfTheSame = nowMs < state.easedUntilMs;
  if (paceNow === 1 && nowMs - state.easedUntilMs > loneAfterMs - easedMs)
    return { ...healthy, easedUntilMs: nowMs + easedMs };
  if (isOfTheSame) return { ...healthy, ...slownessOf(state) };
  const pace = Math.max(lowestPace, paceNow / 2);
  const spikesAtLowest = state.pace === lowestPace ? state.spikesAtLowest + 1 : 0;
  if (spikesAtLowest >= spikesToSpend) return afterSpentQuota(state, nowMs, day);
  return {
    ...healthy,
    pace,
    slowUntilMs: nowMs + minuteMs,
    spikesAtLowest,
    easedUntilMs: state.easedUntilMs,
  };
}

function slownessOf({ pace, slowUntilMs, easedUntilMs }: UpstreamState) {
  return { pace, slowUntilMs, easedUntilMs };
}

/** One probe every quarter of an hour until the quota resets. */
function afterSpentQuota(state: UpstreamState, nowMs: number, day: string): UpstreamState {
  return {
    ...state,
    failuresInARow: 0,
    isProbing: false,
    spentDay: day,
    probeAfterMs: longestProbeMs,
    probeAtMs: nowMs + longestProbeMs,
  };
}
