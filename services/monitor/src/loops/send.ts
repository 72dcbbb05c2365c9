import { type HeldLease, holdLease, type Running } from '@casewatch/platform';
import { createSettler } from '../changes/settle.ts';
import type { Context } from '../context.ts';
import { answerCheck } from '../requests/check.ts';
import { createDueQueue } from '../scheduling/due-queue.ts';
import { readDueReceipts } from '../scheduling/due-reader.ts';
import { poll } from '../scheduling/poll.ts';
import { createSender } from '../sending/sender.ts';
import { createSendOrder, type SendOrder } from '../sending/turn.ts';
import { createUpstream } from '../sending/upstream.ts';
import { heartbeat } from './heartbeat.ts';
import { reportOverdue } from './report-overdue.ts';
import { takeCensuses } from './take-censuses.ts';

/** A sender that dies is followed within this and a second (monitor.md, Budget), ms. */
const leaseMs = 15_000;
/** How often those who stand by look whether the lease is free, ms. */
const standbyMs = 250;

/** Of all replicas one sends: it polls what is due and answers `monitor.check`; the others stand by. */
export function sendUnderLease(ctx: Context): Running {
  const order = createSendOrder();
  return holdLease({
    connection: ctx.db,
    log: ctx.log,
    name: 'sender',
    ttlMs: leaseMs,
    retryMs: standbyMs,
    whileHeld: (lease) => send(ctx, lease, order),
  });
}

async function send(ctx: Context, lease: HeldLease, order: SendOrder): Promise<void> {
  const upstream = createUpstream(ctx, await ctx.stores.control.read());
  const sender = createSender(ctx, { lease, order, upstream });
  const settler = createSettler(ctx);
  const queue = createDueQueue(ctx.pacing);
  // Served only here: where nobody sends, nobody answers, and who asks hears 503 at once. Every holder hears each
  // request: one that was frozen is still subscribed, and must not take a request from the one that follows it.
  const stopServing = ctx.bus.serve('monitor.check', answerCheck(ctx, { lease, sender, settler, queue }));
  const loops = [
    heartbeat(ctx, upstream),
    takeCensuses(ctx),
    reportOverdue(ctx),
    readDueReceipts(ctx, queue),
  ];
  const stopAll = () => Promise.all([stopServing(), ...loops.map((loop) => loop.stop())]);
  try {
    await Promise.all([
      sender.run(),
      poll(ctx, { lease, sender, settler, queue }),
      untilEnded(lease).then(stopAll),
    ]);
  } finally {
    await sender.handBack().catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'unused requests of the day were not handed back; they are lost to it');
    });
  }
}

async function untilEnded({ signal }: HeldLease): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
