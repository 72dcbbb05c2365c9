import type { Context } from '../context.ts';
import { isOpen, msUntilOpen } from '../domain/hours.ts';
import type { Outcome } from '../domain/outcome.ts';
import { type Health, healthOf, stateFrom } from '../domain/upstream-health.ts';
import { afterOutcome, lastingPaceAt, maySend, paceAt, sending, unsent } from '../domain/upstream-state.ts';
import type { Control, UpstreamView } from '../store/upstream-control.ts';
import { TurnRefusedError } from './turn.ts';

export type Upstream = ReturnType<typeof createUpstream>;

const pausedMs = 60_000;
const boundaryWaitMs = 4_000;

/**
 * The state of the government's service, as the sender knows it: hours, the operator's pause, breaker and pace. `control`:
 * what the last sender and the operator left.
 */
export function createUpstream({ hours, quotaDays: days, clock, log }: Context, control: Control) {
  let state = stateFrom(control.health, performance.now(), clock.now());
  let isPaused = control.paused_at !== null;

  return {
    /** Null = requests may be sent; else why not. */
    blockedBy(): TurnRefusedError | null {
      const now = clock.now();
      if (isPaused) return new TurnRefusedError('paused by the operator', pausedMs);
      if (!isOpen(hours, now)) return new TurnRefusedError('the service is closed', msUntilOpen(hours, now));
      if (days.isAtBoundary(now)) return new TurnRefusedError('the quota’s day changes', boundaryWaitMs);
      const wait = maySend(state, performance.now(), days.at(now).day);
      return wait && new TurnRefusedError('the service does not answer', wait.waitMs);
    },
    /** Share of the rate to use now. */
    pace: () => paceAt(state, performance.now()),
    turnGiven(): void {
      state = sending(state);
    },
    turnMissed(): void {
      state = unsent(state);
    },
    note(outcome: Outcome): void {
      const now = clock.now();
      // Asked before closing time, answered after it: known hours are a pause, not a failure.
      const isPause = outcome.outcome === 'closed' && !isOpen(hours, now);
      const wasOpen = state.probeAtMs !== null;
      if (isPause) state = unsent(state);
      else state = afterOutcome(state, { outcome, nowMs: performance.now(), day: days.at(now).day });
      const isOpenNow = state.probeAtMs !== null;
      if (wasOpen !== isOpenNow)
        log.warn({ breaker: isOpenNow ? 'open' : 'closed', outcome: outcome.outcome }, 'breaker');
      if (outcome.outcome === 'unauthorised')
        log.error({ alarm: 'keys_refused' }, 'the government refuses our keys');
      if (outcome.outcome === 'failed') log.warn({ reason: outcome.reason }, 'check failed');
      if (outcome.outcome === 'rate_limited') log.warn({ kind: outcome.kind }, 'rate limited');
    },
    view(): UpstreamView {
      if (!isOpen(hours, clock.now())) return 'closed';
      return state.probeAtMs === null && !isPaused ? 'open' : 'unreachable';
    },
    health(): Health {
      const nowMs = performance.now();
      return healthOf(state, lastingPaceAt(state, nowMs), nowMs, clock.now());
    },
    /** What the operator ordered last. */
    applyControl({ paused_at }: Control): void {
      if (isPaused !== (paused_at !== null)) log.warn({ paused: !isPaused }, 'the operator’s word');
      isPaused = paused_at !== null;
    },
  };
}
