import type { HeldLease } from '@casewatch/platform';
import { quotaOf } from '../config.ts';
import type { Context } from '../context.ts';
import type { AskedReceipt, CheckResult } from '../domain/outcome.ts';
import type { Priority } from '../domain/quota.ts';
import { askUscis, workMs } from './ask-uscis.ts';
import { createBudget } from './budget.ts';
import { createPacer } from './pacer.ts';
import { createSeenBefore } from './seen-before.ts';
import type { SendOrder, SendPermit } from './send-permit.ts';
import { createSlots } from './slots.ts';
import { createStopwatch, type Stopwatch } from './stopwatch.ts';
import type { Upstream } from './upstream.ts';

export type Sender = ReturnType<typeof createSender>;

/** Longest total wait for permits of a live check (monitor.md, Budget), ms. */
const liveWaitMs = 2_000;
const maxSpikeAttempts = 3;

type Options = { lease: HeldLease; order: SendOrder; upstream: Upstream };

type Check = AskedReceipt & {
  priority: Priority;
  isRetry: boolean;
  work: Stopwatch;
  wait: Stopwatch;
  onStarted?: (() => void) | undefined;
};

/** The only way to USCIS: applies budget, breaker, pace and lease. */
export function createSender(ctx: Context, { lease, order, upstream }: Options) {
  const { config, clock, quotaDays: days, metrics } = ctx;
  const ratePerSecond = config.USCIS_RATE_PER_SECOND;
  const quota = quotaOf(config);
  const budget = createBudget({
    store: ctx.stores.budget,
    quota,
    ratePerSecond,
    days,
    now: clock.now,
    kept: () => ctx.dayParts.left(clock.now()),
  });
  const slots = createSlots({
    ratePerSecond,
    margin: config.USCIS_PACE_MARGIN,
    startMs: performance.now(),
    pace: upstream.pace,
  });
  const msUntilNextDay = () => days.msUntilNext(clock.now());
  const judge = createSeenBefore();
  const pacer = createPacer({ lease, order, budget, slots, upstream, msUntilNextDay });

  async function ask(check: Check): Promise<CheckResult> {
    const { receiptNumber, priority, isRetry, work, wait, onStarted } = check;
    const refusal = upstream.blockedBy();
    if (refusal) throw refusal;
    const nextPermit = async (isRepeated: boolean): Promise<SendPermit> => {
      const share = isRetry || isRepeated ? 'background' : priority;
      const startMs = performance.now();
      const permit = await wait.measure((maxWaitMs) => pacer.acquire({ queue: priority, share, maxWaitMs }));
      metrics.permitGranted(priority, performance.now() - startMs);
      onStarted?.();
      return permit;
    };
    const { outcome: answered, sent } = await askUscis(ctx.uscis, receiptNumber, { nextPermit, work });
    const outcome = judge(answered, check);
    upstream.recordOutcome(outcome);
    metrics.requestDone(priority, outcome);
    return { outcome, sent, checkedAt: clock.now() };
  }

  return {
    blockedBy: upstream.blockedBy,
    answeredAtMs: upstream.answeredAtMs,
    recoveries: upstream.recoveries,
    /** Makes a scheduled check. `onStarted` is called with each permit. @throws SendRefusedError */
    async check(asked: AskedReceipt, onStarted?: () => void): Promise<CheckResult> {
      const times = { work: createStopwatch(workMs), wait: createStopwatch(Number.POSITIVE_INFINITY) };
      return await ask({ ...asked, priority: 'background', isRetry: false, ...times, onStarted });
    },
    /** Makes a live check; after a spike arrest it tries again at the slower pace. @throws SendRefusedError */
    async checkNow(asked: AskedReceipt): Promise<CheckResult> {
      const times = { work: createStopwatch(workMs), wait: createStopwatch(liveWaitMs) };
      for (let attempt = 1; ; attempt++) {
        const checked = await ask({ ...asked, priority: 'interactive', isRetry: attempt > 1, ...times });
        const { outcome } = checked;
        const isSpike = outcome.outcome === 'rate_limited' && outcome.kind === 'spike';
        if (!isSpike || attempt === maxSpikeAttempts) return checked;
      }
    },
    run: pacer.run,
    releaseUnused: budget.releaseUnused,
  };
}
