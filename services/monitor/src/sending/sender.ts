import type { HeldLease } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { AskedReceipt, CheckResult } from '../domain/outcome.ts';
import type { Priority } from '../domain/quota.ts';
import { askUscis, workMs } from './ask-uscis.ts';
import { createBudget } from './budget.ts';
import { createPacer, type SendOrder } from './pacer.ts';
import { createSeenBefore } from './seen-before.ts';
import { createSlots } from './slots.ts';
import type { Upstream } from './upstream.ts';

/** Longest total wait for permits of a check (monitor.md, Budget), ms. */
const longestWaitMs: Record<Priority, number> = { interactive: 2_000, background: Number.POSITIVE_INFINITY };
const spikeAttempts: Record<Priority, number> = { interactive: 3, background: 1 };

type Term = { lease: HeldLease; upstream: Upstream; order: SendOrder };

/** The only way to USCIS: applies budget, breaker, pace and lease. */
export function createSender(ctx: Context, { lease, upstream, order }: Term) {
  const budget = createBudget(ctx);
  const judge = createSeenBefore();
  const { USCIS_RATE_PER_SECOND: ratePerSecond, USCIS_PACE_MARGIN: margin } = ctx.config;
  const slots = createSlots({ ratePerSecond, margin, startMs: performance.now(), pace: upstream.pace });
  const pacer = createPacer({ lease, budget, slots, upstream, order });

  /** After a spike arrest a live check tries again. `onStarted` is called with each permit. @throws SendRefusedError */
  async function check(asked: AskedReceipt, priority: Priority, onStarted = () => {}): Promise<CheckResult> {
    const work = { leftMs: workMs };
    const wait = { leftMs: longestWaitMs[priority] };
    for (let attempt = 1; ; attempt++) {
      const refusal = upstream.blockedBy();
      if (refusal) throw refusal;
      const nextPermit = async (isRetry: boolean, maxWaitMs: number) => {
        // A retry is charged to the background share.
        const share = isRetry || attempt > 1 ? 'background' : priority;
        const permit = await pacer.acquire(priority, share, maxWaitMs);
        onStarted();
        return permit;
      };
      const asking = askUscis(ctx.uscis, asked.receiptNumber, { nextPermit, work, wait });
      const { outcome: answered, sent } = await asking;
      const outcome = judge(answered, asked);
      upstream.recordOutcome(outcome, priority);
      const isSpike = outcome.outcome === 'rate_limited' && outcome.kind === 'spike';
      if (!isSpike || attempt === spikeAttempts[priority])
        return { ...outcome, sent, checkedAt: ctx.clock.now() };
    }
  }

  return { check, run: pacer.run, releaseUnused: budget.releaseUnused };
}
