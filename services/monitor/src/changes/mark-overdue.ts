import { newFanOut } from '../domain/fan-out.ts';
import { isOverdue } from '../domain/schedule.ts';
import { type ChangeContext, retryOnConflict } from './retry-on-conflict.ts';
import { writeReceipt } from './write-receipt.ts';

/** Publishes `status.check_overdue` once until the next check. False if the receipt is not overdue. */
export async function markOverdue(ctx: ChangeContext, receiptNumber: string, at: Date): Promise<boolean> {
  return await retryOnConflict(async () => {
    const stored = await ctx.stores.receipts.find(receiptNumber);
    if (!stored || !isOverdue(stored, at, ctx.scheduleParams())) return false;
    const receipt = { ...stored, overdue_since: at, revision: stored.revision + 1 };
    const overdue = { last_checked: stored.last_checked };
    await writeReceipt(ctx, { before: stored, receipt, fanOut: newFanOut(receipt, at, { overdue }) });
    return true;
  });
}
