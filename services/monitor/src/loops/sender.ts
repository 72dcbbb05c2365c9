import type { HeldLease } from '@casewatch/platform';
import { TurnRefusedError } from '../clients/uscis.ts';
import type { Context } from '../context.ts';
import { isOpen, msUntilOpen, parseHours } from '../domain/hours.ts';
import type { Outcome } from '../domain/outcome.ts';
import { msUntilNextDay } from '../domain/quota-day.ts';
import { afterOutcome, healthy, maySend, paceAt, sending, unsent } from '../domain/upstream-state.ts';
import type { Lane, UpstreamView } from '../store/upstream-budget.ts';
import { createBudget } from './budget.ts';
import { createPacer } from './pacer.ts';
import { createSlots } from './slots.ts';

/** One answer of the government, when it came, and its request's place in the order of sending. */
export type Checked = { outcome: Outcome; sent: number; checkedAt: Date };

export type Sender = {
  /**
   * `onStarted` is called when its turn has come.
   * @throws TurnRefusedError if nothing may be sent now, or not soon enough for who waits
   */
  check(receiptNumber: string, lane: Lane, onStarted?: () => void): Promise<Checked>;
  /** Null = requests may be sent; else why not. */
  obstacle(): TurnRefusedError | null;
  view(): UpstreamView;
  today(): string;
  /** Gives out turns until the lease ends. */
  run(): Promise<void>;
};

/** An interactive check starts within this, or is refused (monitor.md, Budget), ms. */
const startWithinMs = 2_000;

/** The only way to the government: budget, breaker, pace and lease are kept here. */
export function createSender(ctx: Context, lease: HeldLease): Sender {
  const { config, clock, log } = ctx;
  const hours = parseHours(config.USCIS_HOURS);
  const zone = config.USCIS_QUOTA_RESET_TZ;
  let state = healthy;
  const budget = createBudget({
    store: ctx.stores.budget,
    daily: config.USCIS_DAILY_BUDGET,
    zone,
    now: clock.now,
  });
  const slots = createSlots({
    ratePerSecond: config.USCIS_RATE_PER_SECOND,
    margin: config.USCIS_PACE_MARGIN,
    startMs: performance.now(),
    pace: () => paceAt(state, performance.now()),
  });

  function obstacle(): TurnRefusedError | null {
    const now = clock.now();
    if (!isOpen(hours, now)) return new TurnRefusedError('the service is closed', msUntilOpen(hours, now));
    const wait = maySend(state, performance.now(), budget.today());
    return wait && new TurnRefusedError('the service does not answer', wait.waitMs);
  }

  const pacer = createPacer({
    lease,
    budget,
    slots,
    obstacle,
    onGranted: () => {
      state = sending(state);
    },
    onMissed: () => {
      state = unsent(state);
    },
    msUntilNextDay: () => msUntilNextDay(clock.now(), zone),
  });

  function note(outcome: Outcome): void {
    const wasOpen = state.probeAtMs !== null;
    state = afterOutcome(state, { outcome, nowMs: performance.now(), day: budget.today() });
    const isOpenNow = state.probeAtMs !== null;
    if (wasOpen !== isOpenNow)
      log.warn({ breaker: isOpenNow ? 'open' : 'closed', outcome: outcome.outcome }, 'breaker');
    if (outcome.outcome === 'unauthorised') log.error('the government refuses our keys');
    if (outcome.outcome === 'failed') log.warn({ reason: outcome.reason }, 'check failed');
    if (outcome.outcome === 'rate_limited') log.warn({ kind: outcome.kind }, 'rate limited');
  }

  return {
    obstacle,
    async check(receiptNumber, lane, onStarted) {
      const refusal = obstacle();
      if (refusal) throw refusal;
      const startBy = performance.now() + (lane === 'interactive' ? startWithinMs : Number.POSITIVE_INFINITY);
      const { outcome, sent } = await ctx.uscis.check(receiptNumber, async () => {
        const turn = await pacer.turn(lane, startBy - performance.now());
        onStarted?.();
        return turn;
      });
      note(outcome);
      return { outcome, sent, checkedAt: clock.now() };
    },
    view() {
      if (!isOpen(hours, clock.now())) return 'closed';
      return state.probeAtMs === null ? 'open' : 'unreachable';
    },
    today: budget.today,
    run: pacer.run,
  };
}
