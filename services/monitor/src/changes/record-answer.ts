import { type Decision, decideAnswer } from '../domain/decide-answer.ts';
import { fanOutOf } from '../domain/fan-out.ts';
import type { Answer } from '../domain/outcome.ts';
import { type Receipt, unknownReceipt, unwatched } from '../domain/receipt.ts';
import { type ChangeContext, changeReceipt } from './change-receipt.ts';

/** `isKnown`: the receipt was stored when the check began. `holdsDetails`: an operator decides on changed words. */
type Options = { isKnown?: boolean; holdsDetails?: boolean };

/** One transaction writes the receipt and a row for the fan-out, which tells the watching cases (architecture.md §4). */
export async function recordAnswer(
  ctx: ChangeContext,
  receiptNumber: string,
  answer: Answer,
  { isKnown = false, holdsDetails = false }: Options = {},
): Promise<{ receipt: Receipt | null; decision: Decision | null }> {
  let stored = null as Receipt | null;
  const written = await changeReceipt(ctx, receiptNumber, (found) => {
    stored = found;
    // A receipt that was deleted during its check stays deleted.
    if (!stored && (isKnown || answer.outcome !== 'seen')) return null;
    const before = stored ?? unknownReceipt(receiptNumber);
    const decision = decideAnswer(before, answer, { ...ctx.planner, holdsDetails });
    if (!decision) return null;
    const isWatched = before.watchers > 0;
    const receipt = isWatched ? decision.receipt : unwatched(decision.receipt, answer.checkedAt);
    const fanOut = isWatched && decision.isForCases ? fanOutOf(before, decision, answer.checkedAt) : null;
    return { receipt, fanOut, decision };
  });
  return written ?? { receipt: stored, decision: null };
}
