import type { HeldLease } from '@casewatch/platform';
import { quotaOf } from '../config.ts';
import type { Context } from '../context.ts';
import type { Checked } from '../domain/outcome.ts';
import type { Lane } from '../domain/quota.ts';
import { askUscis, workMs } from './ask-uscis.ts';
import { createBudget } from './budget.ts';
import { createPacer } from './pacer.ts';
import { createSlots } from './slots.ts';
import { createStopwatch, type Stopwatch } from './stopwatch.ts';
import type { SendOrder, Turn } from './turn.ts';
import type { Upstream } from './upstream.ts';

export type Sender = ReturnType<typeof createSender>;

/** All waits for turns of one interactive check together: it starts within this, or is refused (monitor.md, Budget), ms. */
const startWithinMs = 2_000;
const spikeTries = 3;

type Options = { lease: HeldLease; order: SendOrder; upstream: Upstream };

type Check = {
  receiptNumber: string;
  lane: Lane;
  isRetry: boolean;
  /** Time for tokens and calls, and for turns. */
  work: Stopwatch;
  wait: Stopwatch;
  onStarted?: (() => void) | undefined;
};

/** The only way to the government: budget, breaker, pace and lease are kept here. */
export function createSender(ctx: Context, { lease, order, upstream }: Options) {
  const { config, clock, quotaDays: days, sendingMetrics: metrics } = ctx;
  const ratePerSecond = config.USCIS_RATE_PER_SECOND;
  const quota = quotaOf(config);
  const budget = createBudget({ store: ctx.stores.budget, quota, ratePerSecond, days, now: clock.now });
  const slots = createSlots({
    ratePerSecond,
    margin: config.USCIS_PACE_MARGIN,
    startMs: performance.now(),
    pace: upstream.pace,
  });
  const msUntilNextDay = () => days.msUntilNext(clock.now());
  const pacer = createPacer({ lease, order, budget, slots, upstream, msUntilNextDay });

  async function ask({ receiptNumber, lane, work, wait, onStarted, ...check }: Check): Promise<Checked> {
    const refusal = upstream.blockedBy();
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
    const { outcome, sent } = await askUscis(ctx.uscis, receiptNumber, { nextTurn, work });
    upstream.note(outcome);
    metrics.answered(lane, outcome);
    return { outcome, sent, checkedAt: clock.now() };
  }

  return {
    /** Null = requests may be sent; else why not. */
    blockedBy: upstream.blockedBy,
    /**
     * A check of the background lane. `onStarted` is called when its turn has come.
     * @throws TurnRefusedError if nothing may be sent now
     */
    async check(receiptNumber: string, onStarted?: () => void): Promise<Checked> {
      const times = { work: createStopwatch(workMs), wait: createStopwatch(Number.POSITIVE_INFINITY) };
      return await ask({ receiptNumber, lane: 'background', isRetry: false, ...times, onStarted });
    },
    /**
     * A check that somebody waits for; a spike arrest is no answer: it gets further turns, at the slower pace.
     * @throws TurnRefusedError if nothing may be sent now, or not soon enough
     */
    async checkNow(receiptNumber: string): Promise<Checked> {
      const times = { work: createStopwatch(workMs), wait: createStopwatch(startWithinMs) };
      for (let tries = 1; ; tries++) {
        const checked = await ask({ receiptNumber, lane: 'interactive', isRetry: tries > 1, ...times });
        const { outcome } = checked;
        const isSpike = outcome.outcome === 'rate_limited' && outcome.kind === 'spike';
        if (!isSpike || tries === spikeTries) return checked;
      }
    },
    /** Gives out turns until the lease ends. */
    run: pacer.run,
    /** When nothing is sent any more: what is reserved of the day and unused is the next sender's. */
    handBack: budget.handBack,
  };
}
