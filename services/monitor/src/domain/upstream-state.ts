import type { Outcome } from './outcome.ts';

const minuteMs = 60_000;
const firstProbeMs = minuteMs;
const longestProbeMs = 15 * minuteMs;
const failuresToOpen = 5;
const lowestPace = 0.1;
const spikesToSpend = 10;
/** A longer Retry-After is obeyed for this time, ms; then one request asks again. */
export const longestRestMs = 60 * minuteMs;
/** Duration of the half pace after a single spike arrest, ms. Further ones meanwhile belong to requests in flight. */
const easedMs = 1_000;
/** A spike arrest this long after the last one, at full pace, is a single one, ms. */
const singleAfterMs = minuteMs;

/** Breaker, pace and quota of USCIS (monitor.md). Times are ms of the monotonic clock. */
export type UpstreamState = typeof healthy;

export const healthy = {
  failuresInARow: 0,
  /** Null = the breaker is closed. */
  probeAtMs: null as number | null,
  probeAfterMs: firstProbeMs,
  isProbing: false,
  pace: 1,
  slowUntilMs: 0,
  spikesAtLowest: 0,
  easedUntilMs: Number.NEGATIVE_INFINITY,
  /** Nothing is sent before this time: a Retry-After of USCIS. */
  restUntilMs: 0,
  /** The quota day that USCIS calls spent. */
  spentDay: null as string | null,
};

type Event = { outcome: Outcome; nowMs: number; day: string };

export function afterOutcome(state: UpstreamState, event: Event): UpstreamState {
  const { outcome, nowMs } = event;
  const restMs = 'retryAfterMs' in outcome ? Math.min(outcome.retryAfterMs ?? 0, longestRestMs) : 0;
  const restUntilMs = restMs > 0 ? Math.max(state.restUntilMs, nowMs + restMs) : state.restUntilMs;
  return { ...afterResult(state, event), restUntilMs };
}

function afterResult(state: UpstreamState, { outcome, nowMs, day }: Event): UpstreamState {
  switch (outcome.outcome) {
    case 'failed':
      return afterFailure(state, nowMs, outcome.isOutage ? 1 : failuresToOpen);
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

/** Null if a request may be sent, else the time to wait, ms. */
export function maySend(state: UpstreamState, nowMs: number, day: string): { waitMs: number } | null {
  if (nowMs < state.restUntilMs) return { waitMs: Math.max(state.restUntilMs, state.probeAtMs ?? 0) - nowMs };
  if (state.probeAtMs === null) return null;
  if (state.spentDay !== null && state.spentDay !== day) return null;
  if (state.isProbing) return { waitMs: 1_000 };
  return nowMs < state.probeAtMs ? { waitMs: state.probeAtMs - nowMs } : null;
}

/** While the breaker is open, one request at a time probes. */
export function withProbe(state: UpstreamState): UpstreamState {
  return state.probeAtMs === null ? state : { ...state, isProbing: true };
}

export function withoutProbe(state: UpstreamState): UpstreamState {
  return { ...state, isProbing: false };
}

export function paceAt(state: UpstreamState, nowMs: number): number {
  return lastingPaceAt(state, nowMs) * (nowMs < state.easedUntilMs ? 0.5 : 1);
}

/** The pace without the second after a single spike: half for a minute, then a tenth more each minute. */
export function lastingPaceAt(state: UpstreamState, nowMs: number): number {
  if (state.pace === 1 || nowMs < state.slowUntilMs) return state.pace;
  const steps = Math.floor((nowMs - state.slowUntilMs) / minuteMs) + 1;
  return Math.min(1, state.pace + steps / 10);
}

function afterFailure(state: UpstreamState, nowMs: number, limit: number): UpstreamState {
  const failuresInARow = state.failuresInARow + 1;
  const failed = { ...state, failuresInARow, isProbing: false, spentDay: null };
  if (state.probeAtMs !== null) {
    // Only a failed probe delays the next probe, not a request sent before the breaker opened.
    if (!state.isProbing && nowMs < state.probeAtMs) return { ...failed, probeAtMs: state.probeAtMs };
    const probeAfterMs = Math.min(state.probeAfterMs * 2, longestProbeMs);
    return { ...failed, probeAfterMs, probeAtMs: nowMs + probeAfterMs };
  }
  return failuresInARow < limit ? failed : { ...failed, probeAtMs: nowMs + firstProbeMs };
}

/** One spike arrest a minute comes from network jitter, a second one from a pace that is too fast (docs/adr/0024). */
function afterSpike(state: UpstreamState, nowMs: number, day: string): UpstreamState {
  const paceNow = lastingPaceAt(state, nowMs);
  const isInFlight = nowMs < state.easedUntilMs;
  if (paceNow === 1 && nowMs - state.easedUntilMs > singleAfterMs - easedMs)
    return { ...healthy, easedUntilMs: nowMs + easedMs };
  if (isInFlight) return { ...healthy, ...slownessOf(state) };
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

/** One probe every 15 minutes until the quota resets. */
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
