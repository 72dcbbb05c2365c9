import { once } from 'node:events';
import type { Running } from '@casewatch/platform';
import { type HeldLease, holdLease, leaseSignals } from '@casewatch/platform/database';
import { createAnswerWriter } from '../changes/answer-writer.ts';
import { createBrake } from '../changes/brake.ts';
import type { Context } from '../context.ts';
import { answerCheck } from '../requests/check.ts';
import { createChangeRates } from '../scheduling/change-rates.ts';
import { createDailyPacer } from '../scheduling/daily-pacer.ts';
import { createDueQueue } from '../scheduling/due-queue.ts';
import { readDueReceipts } from '../scheduling/due-reader.ts';
import { poll } from '../scheduling/poll.ts';
import { createSender } from '../sending/sender.ts';
import { createUpstream } from '../sending/upstream.ts';
import { fanOutChanges } from './fan-out.ts';
import { heartbeat } from './heartbeat.ts';
import { collectStats } from './schedule-stats.ts';

/** Another replica takes over from a dead sender after this time and a second (monitor.md, Budget), ms. */
const leaseMs = 15_000;

/** One replica sends: it makes the scheduled checks and answers `monitor.check`. The others wait for the lease. */
export function sendUnderLease(ctx: Context): Running {
  return holdLease({
    connection: ctx.db,
    log: ctx.log,
    name: 'sender',
    ttlMs: leaseMs,
    signals: leaseSignals(ctx.bus, ctx.log, 'sender'),
    releasesFirst: true,
    whileHeld: (lease) => send(ctx, lease),
  });
}

async function send(ctx: Context, lease: HeldLease): Promise<void> {
  const queue = createDueQueue(ctx.planner.plan);
  const control = await ctx.stores.control.read();
  const upstream = createUpstream(ctx, { control, onRecovered: queue.endHolds });
  const sender = createSender(ctx, { lease, upstream });
  const brake = createBrake((await ctx.stores.receipts.countHeld()) > 0);
  const writer = createAnswerWriter(ctx, { brake });
  const changeRates = createChangeRates(ctx);
  const pacer = createDailyPacer(ctx);
  // Without a sender, callers get 503 at once. Every subscriber gets each request: a frozen sender, still subscribed,
  // takes none away from its successor.
  const stopServing = ctx.bus.serve('monitor.check', answerCheck(ctx, { lease, sender, writer, queue }));
  const loops = [
    heartbeat(ctx, { upstream, changeRates, pacer }),
    collectStats(ctx, changeRates),
    readDueReceipts(ctx, queue, sender),
  ];
  const stopAll = () => Promise.all([stopServing(), ...loops.map((loop) => loop.stop())]);
  await Promise.all([
    sender.run(),
    poll(ctx, { lease, sender, writer, queue, changeRates, pacer }),
    fanOutChanges(ctx, lease.signal),
    untilEnded(lease).then(stopAll),
  ]);
}

async function untilEnded({ signal }: HeldLease): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
