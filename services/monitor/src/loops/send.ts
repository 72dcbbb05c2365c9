import { once } from 'node:events';
import { type Running, warning } from '@casewatch/platform';
import { type HeldLease, holdLease, leaseSignals } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { answerCheck } from '../requests/check.ts';
import { readDueReceipts } from '../scheduling/due-reader.ts';
import { poll } from '../scheduling/poll.ts';
import { createSenderContext } from '../scheduling/sender-context.ts';
import { createSendOrder, type SendOrder } from '../sending/pacer.ts';
import { fanOutChanges } from './fan-out.ts';
import { heartbeat } from './heartbeat.ts';
import { collectStats } from './schedule-stats.ts';

/** Another replica takes over from a dead sender after this time and a second (monitor.md, Budget), ms. */
const leaseMs = 15_000;

/** One replica sends: it makes the scheduled checks and answers `monitor.check`. The others wait for the lease. */
export function sendUnderLease(ctx: Context): Running {
  const order = createSendOrder();
  return holdLease({
    connection: ctx.db,
    log: ctx.log,
    name: 'sender',
    ttlMs: leaseMs,
    signals: leaseSignals(ctx.bus, ctx.log, 'sender'),
    releasesFirst: true,
    whileHeld: (lease) => send(ctx, lease, order),
  });
}

async function send(shared: Context, lease: HeldLease, order: SendOrder): Promise<void> {
  const ctx = await createSenderContext(shared, lease, order);
  // Without a sender, callers get 503 immediately. Every subscriber gets each request: a frozen sender, still subscribed,
  // takes none away from its successor.
  const stopServing = ctx.bus.serve('monitor.check', answerCheck(ctx));
  const loops = [heartbeat(ctx), collectStats(ctx), readDueReceipts(ctx), poll(ctx)];
  const stopAll = () => Promise.all([stopServing(), ...loops.map((loop) => loop.stop())]);
  const work = [ctx.sender.run(), fanOutChanges(ctx, lease.signal)];
  try {
    await Promise.all([...work, untilEnded(lease).then(stopAll)]);
  } finally {
    const warn = warning(ctx.log, 'reserved requests or counts of statuses not stored; they are lost');
    await Promise.all([ctx.sender.releaseUnused(), ctx.changeRates.flush()]).catch(warn);
  }
}

async function untilEnded({ signal }: HeldLease): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
