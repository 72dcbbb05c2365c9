import type { ReplyInput, RequestData } from '@casewatch/contracts';
import { type HeldLease, NotLeaderError, withoutTimeLimit } from '@casewatch/platform';
import { TurnRefusedError } from '../clients/uscis.ts';
import type { Context } from '../context.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { Caller } from '../domain/shares.ts';
import type { DueQueue } from '../scheduling/due-queue.ts';
import type { Sender } from '../sending/sender.ts';
import { type Settler, understand } from '../changes/settle.ts';
import { createCharger } from '../callers/charge-caller.ts';
import { type Live, replyFromLive, replyFromReceipt, unavailable } from '../present/check-reply.ts';
import { createRecorder } from '../callers/record-caller.ts';

type Tools = { lease: HeldLease; sender: Sender; settler: Settler; queue: DueQueue };

/**
 * Answers `monitor.check`: from store where that is young enough, else live, in the interactive lane, at the caller's
 * expense. Two who ask for one receipt at once share one request, which is charged to the first.
 * @returns a handler that throws ApiError uscis_unavailable with the time after which it is worth asking again, or
 *   rate_limited where the caller's share of the day is used
 */
export function answerCheck(ctx: Context, { lease, sender, settler, queue }: Tools) {
  const running = new Map<string, Promise<Live>>();
  const charge = createCharger(ctx);
  const record = createRecorder(ctx);

  async function askLive(receiptNumber: string): Promise<Live> {
    const checked = await sender.checkNow(receiptNumber);
    const answer = understand(ctx, checked);
    const receipt = answer ? await settler.record(receiptNumber, answer) : null;
    if (answer) queue.drop(receiptNumber);
    return { checked, receipt };
  }

  /** Joins who asks for the same at this moment, or begins. */
  async function joinOrAsk(receiptNumber: string, caller: Caller): Promise<Live> {
    const found = running.get(receiptNumber);
    if (found) return await found;
    const obstacle = sender.obstacle();
    if (obstacle) throw obstacle;
    const refund = await charge(caller);
    const meanwhile = running.get(receiptNumber);
    const live = meanwhile ?? askLive(receiptNumber);
    if (!meanwhile) running.set(receiptNumber, live);
    else await refund();
    try {
      return await live;
    } catch (error) {
      if (error instanceof TurnRefusedError && !meanwhile) await refund();
      throw error;
    } finally {
      if (!meanwhile) running.delete(receiptNumber);
    }
  }

  return async (request: RequestData<'monitor.check'>): Promise<ReplyInput<'monitor.check'>> => {
    // Frozen for longer than the lease: another answers.
    if (lease.validForMs() <= 0) throw new NotLeaderError('the lease has ended');
    const { receipt_number, caller, max_age_s } = request;
    await record(caller, receipt_number);
    const stored = max_age_s > 0 ? await ctx.stores.receipts.find(receipt_number) : null;
    if (stored && isYoung(stored, max_age_s, ctx.clock.now()))
      return await replyFromReceipt(ctx, stored, 'cache');
    try {
      // Others may join it, and what the government answered is recorded even where its asker has gone.
      const live = await withoutTimeLimit(() => joinOrAsk(receipt_number, caller));
      return await replyFromLive(ctx, live);
    } catch (error) {
      if (!(error instanceof TurnRefusedError)) throw error;
      throw unavailable(error.message, error.waitMs);
    }
  };
}

/** A rejected receipt is always asked again: refusing it for what was said once would be final. */
function isYoung({ last_checked, state, facts, not_found }: Receipt, maxAgeS: number, now: Date): boolean {
  if (!last_checked || state === 'rejected' || (!facts && !not_found)) return false;
  return now.getTime() - last_checked.getTime() <= maxAgeS * 1_000;
}
