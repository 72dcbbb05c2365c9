import { type HeldLease, holdLease, pause } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { answerCheck } from '../requests/check.ts';
import { createDueQueue } from './due-queue.ts';
import { poll } from './poll.ts';
import { createSender, type Sender } from './sender.ts';
import { createSettler } from './settle.ts';

/** A sender that dies is followed within this, ms (monitor.md, Budget). */
const leaseMs = 15_000;
const heartbeatMs = 5_000;

/** Of all replicas one sends: it polls what is due and answers `monitor.check`; the others stand by. */
export function startSending(ctx: Context, maxInFlight: number): { stop(): Promise<void> } {
  return holdLease({
    connection: ctx.db,
    log: ctx.log,
    name: 'sender',
    ttlMs: leaseMs,
    async whileHeld(lease) {
      const sender = createSender(ctx, lease);
      const settler = createSettler(ctx);
      const queue = createDueQueue();
      // Served only here: where nobody sends, nobody answers, and who asks hears 503 at once.
      const stopServing = ctx.bus.serve('monitor.check', answerCheck(ctx, { sender, settler, queue }));
      await Promise.all([
        sender.run(),
        poll(ctx, { lease, sender, settler, queue, maxInFlight }),
        beat(ctx, lease, sender),
        untilEnded(lease).then(stopServing),
      ]);
    },
  });
}

/** Says every few seconds that somebody sends, and how the government's service fares, for `monitor.status`. */
async function beat(ctx: Context, lease: HeldLease, sender: Sender): Promise<void> {
  while (!lease.signal.aborted) {
    await ctx.stores.budget
      .noteSender(sender.today(), sender.view(), ctx.clock.now())
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'sender not noted'));
    await pause(heartbeatMs, lease.signal);
  }
}

async function untilEnded({ signal }: HeldLease): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
