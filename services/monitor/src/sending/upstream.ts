import { anotherReceipt } from '../clients/read-answer.ts';
import type { Context } from '../context.ts';
import { isOpen, msUntilOpen } from '../domain/hours.ts';
import { isAboutReceipt, type Outcome } from '../domain/outcome.ts';
import {
  afterOutcome,
  lastingPaceAt,
  msUntilSend,
  paceAt,
  restoreState,
  toHealth,
  withProbe,
} from '../domain/upstream-state.ts';
import type { Control, UpstreamView } from '../store/upstream-control.ts';
import { SendRefusedError } from './send-permit.ts';

export type Upstream = ReturnType<typeof createUpstream>;

const pausedMs = 60_000;
const boundaryWaitMs = 4_000;

/** `control`: the state that the last sender stored. `onRecovered`: called when the breaker closes. */
type Options = { control: Control; onRecovered: () => void };

/** State of USCIS in the sender: hours, pause, breaker and pace. */
export function createUpstream(ctx: Context, { control, onRecovered }: Options) {
  const { hours, quotaDays: days, clock, log } = ctx;
  let state = restoreState(control.health, performance.now(), clock.now());
  let isPaused = control.paused_at !== null;
  let refusals = control.refusals;
  let answeredAtMs = Number.NEGATIVE_INFINITY;

  return {
    /** Why nothing may be sent now; null if requests may be sent. */
    blockedBy(): SendRefusedError | null {
      const now = clock.now();
      if (isPaused) return new SendRefusedError('paused by the operator', pausedMs);
      if (!isOpen(hours, now)) return new SendRefusedError('the service is closed', msUntilOpen(hours, now));
      if (days.isAtBoundary(now)) return new SendRefusedError('the quota day changes', boundaryWaitMs);
      const waitMs = msUntilSend(state, performance.now());
      return waitMs > 0 ? new SendRefusedError('the service does not answer', waitMs) : null;
    },
    /** Monotonic time of the last answer about a receipt, ms. */
    answeredAtMs: () => answeredAtMs,
    pace: () => paceAt(state, performance.now()),
    permitGranted(): void {
      state = withProbe(state, performance.now());
    },
    recordOutcome(outcome: Outcome): void {
      const now = clock.now();
      const message = 'message' in outcome && outcome.message;
      if (message) refusals = { ...refusals, [outcome.outcome]: { message, at: now } };
      if (isAboutReceipt(outcome)) answeredAtMs = performance.now();
      // Sent before closing time, answered after it: no failure.
      const isAfterHours = outcome.outcome === 'closed' && !isOpen(hours, now);
      const wasOpen = state.probeAtMs !== null;
      if (!isAfterHours) state = afterOutcome(state, outcome, performance.now());
      const isOpenNow = state.probeAtMs !== null;
      if (wasOpen && !isOpenNow) onRecovered();
      if (wasOpen !== isOpenNow)
        log.warn(
          { breaker: isOpenNow ? 'open' : 'closed', outcome: outcome.outcome },
          'USCIS circuit breaker opened or closed',
        );
      logFailure(log, outcome);
    },
    state() {
      const [nowMs, now] = [performance.now(), clock.now()];
      const isWorking = state.probeAtMs === null && !isPaused;
      const upstream: UpstreamView = !isOpen(hours, now) ? 'closed' : isWorking ? 'open' : 'unreachable';
      return { upstream, health: toHealth(state, lastingPaceAt(state, nowMs), nowMs, now), refusals };
    },
    applyControl({ paused_at }: Control): void {
      if (isPaused !== (paused_at !== null))
        log.warn(isPaused ? 'operator resumed requests to USCIS' : 'operator paused requests to USCIS');
      isPaused = paused_at !== null;
    },
  };
}

function logFailure(log: Context['log'], outcome: Outcome): void {
  if (outcome.outcome === 'unauthorised')
    log.error({ alarm: 'keys_refused' }, 'USCIS refused the client credentials');
  if (outcome.outcome === 'rate_limited')
    log.warn({ kind: outcome.kind, retry_after_ms: outcome.retryAfterMs }, 'USCIS rate limit exceeded');
  if (outcome.outcome !== 'failed') return;
  if (outcome.reason === anotherReceipt)
    log.error({ alarm: 'another_receipt' }, 'USCIS answered about another receipt; the answer is not used');
  else log.warn({ reason: outcome.reason }, 'USCIS request failed');
}
