import { anotherReceipt } from '../clients/read-answer.ts';
import type { Context } from '../context.ts';
import { isOpen, msUntilOpen } from '../domain/hours.ts';
import { isAboutReceipt, type Outcome } from '../domain/outcome.ts';
import type { Priority } from '../domain/quota.ts';
import {
  afterOutcome,
  msUntilSend,
  paceAt,
  probeNow,
  restoreState,
  toHealth,
  withProbe,
} from '../domain/upstream-state.ts';
import type { Control, UpstreamView } from '../store/upstream-control.ts';

export type Upstream = ReturnType<typeof createUpstream>;

/** Nothing can be sent now, because of quota, breaker, hours, pause, lease or a long wait. */
export class SendRefusedError extends Error {
  override readonly name = 'SendRefusedError';
  /** Time until a retry makes sense, ms. */
  readonly waitMs: number;

  constructor(reason: string, waitMs: number) {
    super(reason);
    this.waitMs = waitMs;
  }
}

const pausedMs = 60_000;
const boundaryWaitMs = 4_000;

/** `control`: the state that the last sender stored. `onRecovered`: called when the breaker closes, or an operator asks for a probe. */
type Options = { control: Control; onRecovered: () => void };

/** State of USCIS in the sender: hours, pause, breaker and pace. */
export function createUpstream(ctx: Context, { control, onRecovered }: Options) {
  const { hours, quotaDays: days, clock, wallClock, log } = ctx;
  let state = restoreState(control.health, performance.now(), clock.now());
  let { paused_at, refusals, probe_asked_at } = control;
  // The sender before this one did not see the order.
  if (probe_asked_at && (!control.sender_seen_at || probe_asked_at > control.sender_seen_at)) probe();
  let answeredAtMs: number | null = null;
  let { answered_at } = control;

  function probe(): void {
    log.warn('operator asked for a probe of USCIS');
    state = probeNow(state, performance.now());
    onRecovered();
  }

  return {
    /** Why nothing may be sent now; null if requests may be sent. */
    blockedBy(): SendRefusedError | null {
      const now = clock.now();
      if (paused_at) return new SendRefusedError('paused by the operator', pausedMs);
      if (!isOpen(hours, now)) return new SendRefusedError('the service is closed', msUntilOpen(hours, now));
      if (days.isAtBoundary(now, wallClock.now()))
        return new SendRefusedError('the quota day changes', boundaryWaitMs);
      const waitMs = msUntilSend(state, performance.now());
      return waitMs > 0 ? new SendRefusedError('the service does not answer', waitMs) : null;
    },
    /** Time since the last answer about a receipt, ms; null: none yet. */
    msSinceAnswer: () => answeredAtMs && performance.now() - answeredAtMs,
    pace: () => paceAt(state, performance.now()),
    permitGranted(): void {
      state = withProbe(state, performance.now());
    },
    recordOutcome(outcome: Outcome, lane: Priority): void {
      const now = clock.now();
      count(ctx, outcome, lane);
      const message = sentenceOf(outcome);
      if (message) refusals = { ...refusals, [outcome.outcome]: { message, at: now } };
      if (isAboutReceipt(outcome)) {
        answeredAtMs = performance.now();
        answered_at = now;
      }
      const wasOpen = state.probeAtMs !== null;
      // Sent before closing time, answered after it: no failure.
      const isAfterHours = outcome.outcome === 'closed' && !isOpen(hours, now);
      if (!isAfterHours) state = afterOutcome(state, outcome, performance.now());
      const breaker = state.probeAtMs === null ? 'closed' : 'open';
      if (wasOpen === (breaker === 'open')) return;
      log.warn({ breaker, outcome: outcome.outcome }, 'USCIS circuit breaker opened or closed');
      if (wasOpen) onRecovered();
    },
    state() {
      const now = clock.now();
      const isWorking = state.probeAtMs === null && !paused_at;
      const upstream: UpstreamView = !isOpen(hours, now) ? 'closed' : isWorking ? 'open' : 'unreachable';
      return { upstream, health: toHealth(state, performance.now(), now), refusals, answered_at };
    },
    applyControl(next: Control): void {
      if (!paused_at !== !next.paused_at)
        log.warn(paused_at ? 'operator resumed requests to USCIS' : 'operator paused requests to USCIS');
      paused_at = next.paused_at;
      if (next.probe_asked_at?.getTime() === probe_asked_at?.getTime()) return;
      probe_asked_at = next.probe_asked_at;
      probe();
    },
  };
}

/** What USCIS said, or why its answer says nothing: an operator must not read a sentence of yesterday as today's. */
function sentenceOf(outcome: Outcome): string | null {
  const said = 'message' in outcome ? outcome.message : null;
  if (said) return said;
  return outcome.outcome === 'failed' ? `(no sentence: ${outcome.reason})` : null;
}

function count({ log, metrics }: Context, outcome: Outcome, lane: Priority): void {
  metrics.all['monitor.requests'].add(1, { lane, result: outcome.outcome });
  if (outcome.outcome === 'unreadable') metrics.all['monitor.unparseable_answers'].add(1);
  const unread = outcome.outcome === 'seen' ? (outcome.seen.unread ?? []) : [];
  for (const field of unread) metrics.all['monitor.unread_fields'].add(1, { field });
  if (outcome.outcome === 'unauthorised')
    log.error({ alarm: 'keys_refused' }, 'USCIS refused the client credentials');
  if (outcome.outcome === 'rate_limited')
    log.warn({ kind: outcome.kind, retry_after_ms: outcome.retryAfterMs }, 'USCIS rate limit exceeded');
  if (outcome.outcome !== 'failed') return;
  if (outcome.reason === anotherReceipt)
    log.error({ alarm: 'another_receipt' }, 'USCIS answered about another receipt; answer discarded');
  else log.warn({ reason: outcome.reason }, 'USCIS request failed');
}
