import { type HeldLease, NotLeaderError, type RequestHandler, withoutTimeLimit } from '@casewatch/platform';
import { createCharger } from '../callers/charge-caller.ts';
import { createRecorder } from '../callers/record-caller.ts';
import { parseAnswer } from '../changes/parse-answer.ts';
import type { Settler } from '../changes/settle.ts';
import type { Context } from '../context.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { Caller } from '../domain/shares.ts';
import { type Live, presentLive, presentReceipt, unavailable } from '../present/check-reply.ts';
import type { DueQueue } from '../scheduling/due-queue.ts';
import type { Sender } from '../sending/sender.ts';
import { TurnRefusedError } from '../sending/turn.ts';

type Tools = { lease: HeldLease; sender: Sender; settler: Settler; queue: DueQueue };

/**
 * Answers `monitor.check`: from store where that is young enough, else live, in the interactive lane, at the caller's
 * expense. It is served by the loop that holds the lease (loops/send.ts).
 * @returns a handler that throws ApiError uscis_unavailable with the time after which it is worth asking again, or
 *   rate_limited where the caller's share of the day is used
 */
export function answerCheck(ctx: Context, tools: Tools): RequestHandler<'monitor.check'> {
  const record = createRecorder(ctx);
  const checkLive = createLiveChecks(ctx, tools);
  const newUpdateId = () => ctx.ids.next('status_update');

  return async ({ receipt_number, caller, max_age_s }) => {
    // Frozen for longer than the lease: another answers.
    if (tools.lease.validForMs() <= 0) throw new NotLeaderError('the lease has ended');
    await record(caller, receipt_number);
    const stored = max_age_s > 0 ? await ctx.stores.receipts.find(receipt_number) : null;
    if (stored && isYoung(stored, max_age_s, ctx.clock.now()))
      return await presentReceipt(stored, { source: 'cache', now: ctx.clock.now(), newUpdateId });
    try {
      // Others may join it, and what the government answered is recorded even where its asker has gone.
      const live = await withoutTimeLimit(() => checkLive(receipt_number, caller));
      return await presentLive(live, { now: ctx.clock.now(), newUpdateId });
    } catch (error) {
      if (!(error instanceof TurnRefusedError)) throw error;
      throw unavailable(error.message, error.waitMs);
    }
  };
}

/** Two who ask for one receipt at once share one request, which is charged to the first. */
function createLiveChecks(ctx: Context, { sender, settler, queue }: Tools) {
  const running = new Map<string, Promise<Live>>();
  const charge = createCharger(ctx);

  async function askLive(receiptNumber: string): Promise<Live> {
    const checked = await sender.checkNow(receiptNumber);
    const answer = parseAnswer(ctx, checked);
    const receipt = answer ? await settler.record(receiptNumber, answer) : null;
    if (answer) queue.drop(receiptNumber);
    return { checked, receipt };
  }

  /** Joins who asks for the same at this moment, or begins. */
  return async (receiptNumber: string, caller: Caller): Promise<Live> => {
    const found = running.get(receiptNumber);
    if (found) return await found;
    const refusal = sender.blockedBy();
    if (refusal) throw refusal;
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
  };
}

/** A rejected receipt is always asked again: refusing it for what was said once would be final. */
function isYoung({ last_checked, state, facts, not_found }: Receipt, maxAgeS: number, now: Date): boolean {
  if (!last_checked || state === 'rejected' || (!facts && !not_found)) return false;
  return now.getTime() - last_checked.getTime() <= maxAgeS * 1_000;
}
