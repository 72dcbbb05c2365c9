import { type HeldLease, holdLease, pause } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { answerCheck } from '../requests/check.ts';
import { quotaUseOf } from '../sending/quota-use.ts';
import { takeCensuses } from '../scheduling/census.ts';
import { createDueQueue } from '../scheduling/due-queue.ts';
import { reportOverdue } from '../scheduling/overdue.ts';
import { poll } from '../scheduling/poll.ts';
import { createSender, type Sender } from '../sending/sender.ts';
import type { QuotaUse } from '../sending/metrics.ts';
import { createSettler } from '../changes/settle.ts';
import { runTraffic } from './sandbox-traffic.ts';

/** A sender that dies is followed within this and a second (monitor.md, Budget), ms. */
const leaseMs = 15_000;
/** How often those who stand by look whether the lease is free, ms. */
const standbyMs = 250;
/** How often the sender says how it fares and hears what the operator said, ms. */
const heartbeatMs = 2_000;

/** Of all replicas one sends: it polls what is due and answers `monitor.check`; the others stand by. */
export function startSending(ctx: Context, maxInFlight: number): { stop(): Promise<void> } {
  return holdLease({
    connection: ctx.db,
    log: ctx.log,
    name: 'sender',
    ttlMs: leaseMs,
    retryMs: standbyMs,
    async whileHeld(lease) {
      const sender = createSender(ctx, lease, await ctx.stores.control.read());
      const settler = createSettler(ctx);
      const queue = createDueQueue(ctx.pacing);
      let quota: QuotaUse | null = null;
      const measure = async () => {
        quota = await quotaUseOf(ctx);
      };
      const stopShowing = ctx.sendingMetrics.show({ health: sender.health, quota: () => quota });
      // Served only here: where nobody sends, nobody answers, and who asks hears 503 at once. Every holder hears each
      // request: one that was frozen is still subscribed, and must not take a request from the one that follows it.
      const answer = answerCheck(ctx, { lease, sender, settler, queue });
      const stopServing = ctx.bus.serve('monitor.check', answer, { everyReplica: true });
      try {
        await Promise.all([
          sender.run(),
          poll(ctx, { lease, sender, settler, queue, maxInFlight }),
          beat(ctx, { lease, sender, measure }),
          runTraffic(ctx, lease, sender),
          takeCensuses(ctx, lease),
          reportOverdue(ctx, lease),
          untilEnded(lease).then(stopServing),
        ]);
      } finally {
        await sender.handBack().catch((error: unknown) => {
          ctx.log.warn(
            { err: error },
            'unused requests of the day were not handed back; they are lost to it',
          );
        });
        stopShowing();
      }
    },
  });
}

/** Says every few seconds that somebody sends, and how the government's service fares, for `monitor.status`. */
async function beat(
  ctx: Context,
  { lease, sender, measure }: { lease: HeldLease; sender: Sender; measure(): Promise<void> },
): Promise<void> {
  while (!lease.signal.aborted) {
    try {
      const said = { upstream: sender.view(), health: sender.health() };
      sender.heed(await ctx.stores.control.noteSender(said));
      await measure();
    } catch (error) {
      ctx.log.warn({ err: error }, 'sender not noted');
    }
    await pause(heartbeatMs, lease.signal);
  }
}

async function untilEnded({ signal }: HeldLease): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
