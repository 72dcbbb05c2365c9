import type { HeldLease } from '@casewatch/platform/database';
import { createAnswerWriter } from '../changes/answer-writer.ts';
import { createBrake } from '../changes/brake.ts';
import type { Context } from '../context.ts';
import type { SendOrder } from '../sending/pacer.ts';
import { createSender } from '../sending/sender.ts';
import { createUpstream } from '../sending/upstream.ts';
import { createChangeRates } from './change-rates.ts';
import { createDailyPacer } from './daily-pacer.ts';
import { createDueQueue } from './due-queue.ts';

export type SenderContext = Awaited<ReturnType<typeof createSenderContext>>;

/** The context of the replica that sends, for the time of its lease. */
export async function createSenderContext(ctx: Context, lease: HeldLease, order: SendOrder) {
  const queue = createDueQueue(ctx.planner);
  const control = await ctx.stores.control.read();
  const upstream = createUpstream(ctx, { control, onRecovered: queue.endHolds });
  const sender = createSender(ctx, { lease, upstream, order });
  const brake = createBrake(ctx, (await ctx.stores.receipts.countHeld()) > 0);
  const writer = createAnswerWriter(ctx, brake);
  const changeRates = createChangeRates(ctx);
  return { ...ctx, lease, queue, upstream, sender, writer, changeRates, pacer: createDailyPacer(ctx) };
}
