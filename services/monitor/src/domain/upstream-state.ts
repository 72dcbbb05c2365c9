import type { Outcome } from './outcome.ts';

const minuteMs = 60_000;
const firstProbeMs = minuteMs;
const longestProbeMs = 15 * minuteMs;
/** A probe without an answer is repeated after this time, ms: longer than a check. */
const probeMs = 10_000;
const failuresToOpen = 5;
const lowestPace = 0.1;
const spikesToSpend = 10;
/** A longer Retry-After is obeyed for this time, ms; then one request asks again. */
const longestRestMs = 60 * minuteMs;
/** Duration of the half pace after a single spike arrest, ms. Further ones meanwhile belong to requests in flight. */
const easedMs = 1_000;

/** Breaker, pace and quota of USCIS (monitor.md). Times are ms of the monotonic clock. */
export type UpstreamState = typeof healthy;

const answering = {
  failuresInARow: 0,
  /** Null = the breaker is closed. */
  probeAtMs: null as number | null,
  probeAfterMs: firstProbeMs,
  spikesAtLowest: 0,
  /** The breaker is open because USCIS says that our quota is spent, whatever our own count is. */
  isQuotaSpent: false,
};

export const healthy = {
  ...answering,
  pace: 1,
  slowUntilMs: 0,
  easedUntilMs: Number.NEGATIVE_INFINITY,
  /** Nothing is sent before this time: a Retry-After of USCIS. */
  restUntilMs: 0,
};

export function afterOutcome(state: UpstreamState, outcome: Outcome, nowMs: number): UpstreamState {
  const restMs = 'retryAfterMs' in outcome ? Math.min(outcome.retryAfterMs ?? 0, longestRestMs) : 0;
  const restUntilMs = Math.max(state.restUntilMs, nowMs + restMs);
  return { ...afterResult(state, outcome, nowMs), restUntilMs };
}

function afterResult(state: UpstreamState, outcome: Outcome, nowMs: number): UpstreamState {
  switch (outcome.outcome) {
    case 'failed':
      return afterFailure(state, nowMs, outcome.isOutage ? 1 : failuresToOpen);
    case 'closed':
      return afterFailure(state, nowMs, failuresToOpen);
    case 'unauthorised':
      return afterFailure(state, nowMs, 1);
    case 'rate_limited':
      return outcome.kind === 'quota' ? afterSpentQuota(state, nowMs) : afterSpike(state, nowMs);
    default:
      return { ...state, ...answering };
  }
}

/** Time until a request may be sent, ms; 0: now. */
export function msUntilSend({ restUntilMs, probeAtMs }: UpstreamState, nowMs: number): number {
  return Math.max(restUntilMs - nowMs, (probeAtMs ?? nowMs) - nowMs, 0);
}

/** While the breaker is open, one request at a time probes. */
export function withProbe(state: UpstreamState, nowMs: number): UpstreamState {
  return state.probeAtMs === null ? state : { ...state, probeAtMs: nowMs + probeMs };
}

/** An operator asks for a probe: an open breaker lets the next request through, and a Retry-After ends. */
export function probeNow(state: UpstreamState, nowMs: number): UpstreamState {
  return { ...state, restUntilMs: 0, probeAtMs: state.probeAtMs === null ? null : nowMs };
}

export function paceAt(state: UpstreamState, nowMs: number): number {
  return lastingPaceAt(state, nowMs) * (nowMs < state.easedUntilMs ? 0.5 : 1);
}

/** The pace without the second after a single spike: half for a minute, then a tenth more each minute. */
function lastingPaceAt(state: UpstreamState, nowMs: number): number {
  if (state.pace === 1 || nowMs < state.slowUntilMs) return state.pace;
  const steps = Math.floor((nowMs - state.slowUntilMs) / minuteMs) + 1;
  return Math.min(1, state.pace + steps / 10);
}

function afterFailure(state: UpstreamState, nowMs: number, limit: number): UpstreamState {
  const failuresInARow = state.failuresInARow + 1;
  const failed = { ...state, failuresInARow };
  if (state.probeAtMs === null)
    return failuresInARow < limit ? failed : { ...failed, probeAtMs: nowMs + firstProbeMs };
  // Only a failed probe delays the next probe, not a request sent before the breaker opened.
  if (nowMs < state.probeAtMs - probeMs) return failed;
  const probeAfterMs = Math.min(state.probeAfterMs * 2, longestProbeMs);
  return { ...failed, isQuotaSpent: false, probeAfterMs, probeAtMs: nowMs + probeAfterMs };
}

/** One spike arrest a minute comes from network jitter, a second one from a pace that is too fast. */
function afterSpike(state: UpstreamState, nowMs: number): UpstreamState {
  const paceNow = lastingPaceAt(state, nowMs);
  const { easedUntilMs } = state;
  if (paceNow === 1 && nowMs - easedUntilMs > minuteMs - easedMs)
    return { ...healthy, easedUntilMs: nowMs + easedMs };
  if (nowMs < easedUntilMs) return { ...state, ...answering };
  const pace = Math.max(lowestPace, paceNow / 2);
  const spikesAtLowest = state.pace === lowestPace ? state.spikesAtLowest + 1 : 0;
  if (spikesAtLowest >= spikesToSpend) return afterSpentQuota(state, nowMs);
  return { ...state, ...answering, pace, slowUntilMs: nowMs + minuteMs, spikesAtLowest };
}

/** One probe every 15 minutes until the quota resets. */
function afterSpentQuota(state: UpstreamState, nowMs: number): UpstreamState {
  const probeAtMs = nowMs + longestProbeMs;
  return { ...state, failuresInARow: 0, probeAfterMs: longestProbeMs, probeAtMs, isQuotaSpent: true };
}

export type Health = ReturnType<typeof toHealth>;

/** The stored form of an UpstreamState, with calendar times. `nowMs`: the monotonic clock at `now`. */
export function toHealth(state: UpstreamState, nowMs: number, now: Date) {
  const { probeAtMs, probeAfterMs, restUntilMs } = state;
  const dateOf = (ms: number) => new Date(now.getTime() + ms - nowMs);
  return {
    breaker: probeAtMs === null ? ('closed' as const) : ('open' as const),
    probe_at: probeAtMs === null ? null : dateOf(probeAtMs),
    probe_after_ms: probeAfterMs,
    rest_until: restUntilMs > nowMs ? dateOf(restUntilMs) : null,
    pace: lastingPaceAt(state, nowMs),
    quota_spent: state.isQuotaSpent,
  };
}

/** The start state of a sender: an open breaker stays open, a slow pace stays slow. */
export function restoreState(health: Health | null, nowMs: number, now: Date): UpstreamState {
  if (!health) return healthy;
  const { probe_at, probe_after_ms, rest_until, pace, quota_spent } = health;
  // The clocks of two machines may differ by any amount.
  const msUntil = (time: Date, mostMs: number) =>
    Math.min(Math.max(time.getTime() - now.getTime(), 0), mostMs);
  return {
    ...healthy,
    probeAtMs: probe_at && nowMs + msUntil(probe_at, probe_after_ms),
    restUntilMs: rest_until ? nowMs + msUntil(rest_until, longestRestMs) : 0,
    probeAfterMs: probe_after_ms,
    isQuotaSpent: quota_spent,
    pace,
    slowUntilMs: nowMs,
  };
}
