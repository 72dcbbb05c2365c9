import { newFanOut } from '../domain/fan-out.ts';
import { isOverdue } from '../domain/schedule.ts';
import { type ChangeContext, changeReceipt } from './change-receipt.ts';

/** Publishes `status.check_overdue` once until the next check, if the receipt is overdue. */
export async function markOverdue(ctx: ChangeContext, receiptNumber: string, at: Date): Promise<void> {
  await changeReceipt(ctx, receiptNumber, (stored) => {
    if (!stored || !isOverdue(stored, at, ctx.planner)) return null;
    const receipt = { ...stored, overdue_since: at, revision: stored.revision + 1 };
    return { receipt, fanOut: newFanOut(receipt, at, { overdue: { last_checked: stored.last_checked } }) };
  });
}
