import { type Answer, type Decision, decideAnswer } from '../domain/decide-answer.ts';
import { type FanOut, fanOutOf } from '../domain/fan-out.ts';
import { type Receipt, unknownReceipt, unwatched } from '../domain/receipt.ts';
import { type ChangeContext, retryOnConflict } from './retry-on-conflict.ts';
import { writeWithFanOut } from './write-with-fan-out.ts';

/** `isKnown`: the receipt was stored when the check began. `holdsDetails`: an operator decides on changed words. */
type Options = { isKnown?: boolean; holdsDetails?: boolean };

/** The stored receipt, null if an unknown receipt has no status; and what the answer changed. */
export type Recorded = { receipt: Receipt | null; decision: Decision | null };

/** One transaction writes the receipt and a row for the fan-out, which tells the watching cases (architecture.md §4). */
export async function recordAnswer(
  ctx: ChangeContext,
  receiptNumber: string,
  answer: Answer,
  { isKnown = false, holdsDetails = false }: Options = {},
): Promise<Recorded> {
  return await retryOnConflict(async () => {
    const stored = await ctx.stores.receipts.find(receiptNumber);
    // A receipt that was deleted during its check stays deleted.
    if (!stored && (isKnown || answer.kind !== 'seen')) return { receipt: null, decision: null };
    const before = stored ?? unknownReceipt(receiptNumber);
    const decision = decideAnswer(before, answer, { ...ctx.scheduleParams(), holdsDetails });
    if (!decision) return { receipt: stored, decision };
    const isWatched = before.watchers > 0;
    const receipt = isWatched ? decision.receipt : unwatched(decision.receipt, answer.checkedAt);
    const fanOut = isWatched && decision.isMaterial ? fanOutOf(before, decision, answer.checkedAt) : null;
    return (await write(ctx, before, receipt, fanOut)) ? { receipt, decision } : undefined;
  });
}

async function write(ctx: ChangeContext, before: Receipt, receipt: Receipt, fanOut: FanOut | null) {
  if (!fanOut) return await ctx.stores.receipts.write(before, receipt);
  await writeWithFanOut(ctx, { before, receipt, fanOut });
  return true;
}
