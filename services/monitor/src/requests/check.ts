import { NotLeaderError, type RequestHandler, withoutTimeLimit } from '@casewatch/platform';
import { chargeCaller } from '../callers/charge-caller.ts';
import { createRecorder } from '../callers/record-caller.ts';
import { isAboutReceipt } from '../domain/outcome.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { Caller } from '../domain/shares.ts';
import { type LiveAnswer, presentLive, presentReceipt, unavailable } from '../present/check-reply.ts';
import type { SenderContext } from '../scheduling/sender-context.ts';
import { SendRefusedError } from '../sending/upstream.ts';

/** Answers from the store or by a live check. The handler throws ApiError uscis_unavailable or rate_limited. */
export function answerCheck(ctx: SenderContext): RequestHandler<'monitor.check'> {
  const recordCaller = createRecorder(ctx);
  const checkLive = createLiveChecks(ctx);

  return async ({ receipt_number, caller, max_age_s }) => {
    // A frozen sender wakes after its lease: its successor answers.
    if (ctx.lease.validForMs() <= 0) throw new NotLeaderError('the lease has ended');
    await recordCaller(caller, receipt_number);
    const status_update_id = await ctx.ids.next('status_update');
    const at = ctx.clock.now();
    const stored = max_age_s > 0 ? await ctx.stores.receipts.find(receipt_number) : null;
    if (stored && isFresh(stored, max_age_s, at))
      return presentReceipt(stored, { source: 'cache', at, status_update_id });
    try {
      // Other callers may share the check, so it continues after the deadline of this caller.
      return presentLive(await withoutTimeLimit(() => checkLive(receipt_number, caller)), status_update_id);
    } catch (error) {
      if (!(error instanceof SendRefusedError)) throw error;
      throw unavailable(error.message, error.waitMs);
    }
  };
}

/** Concurrent checks of one receipt share one request, charged to the first caller. */
function createLiveChecks(ctx: SenderContext) {
  const { upstream, sender, writer, queue } = ctx;
  const running = new Map<string, Promise<LiveAnswer>>();

  async function check(receiptNumber: string): Promise<LiveAnswer> {
    const stored = await ctx.stores.receipts.find(receiptNumber);
    const asked = { receiptNumber, wasSeen: !!stored?.facts_hash };
    const checked = await sender.check(asked, 'interactive');
    if (!isAboutReceipt(checked)) return { checked, receipt: null };
    const receipt = await writer.record(receiptNumber, checked, stored !== null);
    queue.remove(receiptNumber);
    return { checked, receipt };
  }

  return async (receiptNumber: string, caller: Caller): Promise<LiveAnswer> => {
    const shared = running.get(receiptNumber);
    if (shared) return await shared;
    const refusal = upstream.blockedBy();
    if (refusal) throw refusal;
    const refund = await chargeCaller(ctx, caller);
    // Another caller may have begun during the charge.
    const concurrent = running.get(receiptNumber);
    if (concurrent) {
      await refund();
      return await concurrent;
    }
    const live = check(receiptNumber).finally(() => running.delete(receiptNumber));
    running.set(receiptNumber, live);
    try {
      return await live;
    } catch (error) {
      if (error instanceof SendRefusedError) await refund();
      throw error;
    }
  };
}

/** A rejected receipt is always checked again, because USCIS may accept it later. */
function isFresh({ last_checked, state, facts, not_found }: Receipt, maxAgeS: number, now: Date): boolean {
  if (!last_checked || state === 'rejected' || (!facts && !not_found)) return false;
  return now.getTime() - last_checked.getTime() <= maxAgeS * 1_000;
}
