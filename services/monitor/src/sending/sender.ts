import type { HeldLease } from '@casewatch/platform';
import { createStopwatch, type Stopwatch } from './stopwatch.ts';
import { type Turn, TurnRefusedError, workMs } from '../clients/uscis.ts';
import type { Context } from '../context.ts';
import { isOpen, msUntilOpen, parseHours } from '../domain/hours.ts';
import type { Outcome } from '../domain/outcome.ts';
import { createQuotaDays } from '../domain/quota-day.ts';
import { type Health, healthOf, stateFrom } from '../domain/upstream-health.ts';
import { afterOutcome, lastingPaceAt, maySend, paceAt, sending, unsent } from '../domain/upstream-state.ts';
import type { Lane } from '../store/upstream-budget.ts';
import type { Control, UpstreamView } from '../store/upstream-control.ts';
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
  /** A check that somebody waits for; a spike arrest is no answer: it gets further turns, at the slower pace. */
  checkNow(receiptNumber: string): Promise<Checked>;
  /** Null = requests may be sent; else why not. */
  obstacle(): TurnRefusedError | null;
  view(): UpstreamView;
  health(): Health;
  /** What the operator said last. */
  heed(control: Control): void;
  today(): string;
  /** Gives out turns until the lease ends. */
  run(): Promise<void>;
  /** When nothing is sent any more: what is reserved of the day and unused is the next sender's. */
  handBack(): Promise<void>;
};

/** All waits for turns of one interactive check together: it starts within this, or is refused (monitor.md, Budget), ms. */
const startWithinMs = 2_000;
const spikeTries = 3;
const pausedMs = 60_000;
const boundaryWaitMs = 4_000;

type Check = {
  receiptNumber: string;
  lane: Lane;
  isRetry: boolean;
  /** Time for tokens and calls, and for turns. */
  work: Stopwatch;
  wait: Stopwatch;
  onStarted?: (() => void) | undefined;
};

/** The only way to the government: budget, breaker, pace and lease are kept here. `control`: as it stood before. */
export function createSender(ctx: Context, lease: HeldLease, control: Control): Sender {
  const { config, clock, log, sendingMetrics: metrics } = ctx;
  const hours = parseHours(config.USCIS_HOURS);
  const days = createQuotaDays(config.USCIS_QUOTA_RESET_TZ);
  const daily = config.USCIS_DAILY_BUDGET;
  let state = stateFrom(control.health, performance.now(), clock.now());
  let isPaused = control.paused_at !== null;
  const ratePerSecond = config.USCIS_RATE_PER_SECOND;
  const budget = createBudget({ store: ctx.stores.budget, daily, ratePerSecond, days, now: clock.now });
  const slots = createSlots({
    ratePerSecond,
    margin: config.USCIS_PACE_MARGIN,
    startMs: performance.now(),
    pace: () => paceAt(state, performance.now()),
  });

  function obstacle(): TurnRefusedError | null {
    const now = clock.now();
    if (isPaused) return new TurnRefusedError('paused by the operator', pausedMs);
    if (!isOpen(hours, now)) return new TurnRefusedError('the service is closed', msUntilOpen(hours, now));
    if (days.isAtBoundary(now)) return new TurnRefusedError('the quota’s day changes', boundaryWaitMs);
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
    msUntilNextDay: () => days.msUntilNext(clock.now()),
  });

  function note(outcome: Outcome): void {
    // Asked before closing time, answered after it: known hours are a pause, not a failure.
    const isPause = outcome.outcome === 'closed' && !isOpen(hours, clock.now());
    const wasOpen = state.probeAtMs !== null;
    if (isPause) state = unsent(state);
    else state = afterOutcome(state, { outcome, nowMs: performance.now(), day: budget.today() });
    const isOpenNow = state.probeAtMs !== null;
    if (wasOpen !== isOpenNow)
      log.warn({ breaker: isOpenNow ? 'open' : 'closed', outcome: outcome.outcome }, 'breaker');
    if (outcome.outcome === 'unauthorised')
      log.error({ alarm: 'keys_refused' }, 'the government refuses our keys');
    if (outcome.outcome === 'failed') log.warn({ reason: outcome.reason }, 'check failed');
    if (outcome.outcome === 'rate_limited') log.warn({ kind: outcome.kind }, 'rate limited');
  }

  async function ask({ receiptNumber, lane, work, wait, onStarted, ...check }: Check): Promise<Checked> {
    const refusal = obstacle();
    if (refusal) throw refusal;
    let { isRetry } = check;
    let turn: Turn | undefined;
    const nextTurn = async (): Promise<Turn> => {
      isRetry ||= turn?.isWritten === true;
      const wish = { queue: lane, lane: isRetry ? ('background' as const) : lane };
      const wantedMs = performance.now();
      turn = await wait.measure((withinMs) => pacer.turn({ ...wish, withinMs }));
      metrics.claimed(lane, performance.now() - wantedMs);
      onStarted?.();
      return turn;
    };
    const { outcome, sent } = await ctx.uscis.check(receiptNumber, nextTurn, work);
    note(outcome);
    metrics.answered(lane, outcome);
    return { outcome, sent, checkedAt: clock.now() };
  }

  return {
    obstacle,
    async check(receiptNumber, lane, onStarted) {
      const wait = createStopwatch(lane === 'interactive' ? startWithinMs : Number.POSITIVE_INFINITY);
      return await ask({
        receiptNumber,
        lane,
        isRetry: false,
        work: createStopwatch(workMs),
        wait,
        onStarted,
      });
    },
    async checkNow(receiptNumber) {
      const times = { work: createStopwatch(workMs), wait: createStopwatch(startWithinMs) };
      for (let tries = 1; ; tries++) {
        const checked = await ask({ receiptNumber, lane: 'interactive', isRetry: tries > 1, ...times });
        const { outcome } = checked;
        const isSpike = outcome.outcome === 'rate_limited' && outcome.kind === 'spike';
        if (!isSpike || tries === spikeTries) return checked;
      }
    },
    view() {
      if (!isOpen(hours, clock.now())) return 'closed';
      return state.probeAtMs === null && !isPaused ? 'open' : 'unreachable';
    },
    health() {
      const nowMs = performance.now();
      return healthOf(state, lastingPaceAt(state, nowMs), nowMs, clock.now());
    },
    heed({ paused_at }) {
      if (isPaused !== (paused_at !== null)) log.warn({ paused: !isPaused }, 'the operator’s word');
      isPaused = paused_at !== null;
    },
    today: budget.today,
    run: pacer.run,
    handBack: budget.handBack,
  };
}
