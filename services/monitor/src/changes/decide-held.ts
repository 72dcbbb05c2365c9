import type { Context } from '../context.ts';
import { newFanOut, shownOf } from '../domain/fan-out.ts';
import type { Receipt } from '../domain/receipt.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { writeReceipt } from './write-receipt.ts';

type HeldContext = Pick<Context, 'db' | 'stores' | 'clock'>;

const receiptsPerRead = 200;

/** Decides all held changes: users are notified (`release`), or not (`drop`). Returns the number of receipts. */
export async function decideHeld(ctx: HeldContext, decision: 'release' | 'drop'): Promise<number> {
  let count = 0;
  for (;;) {
    const rows = await ctx.stores.receipts.findHeld(receiptsPerRead);
    for (const { _id } of rows) if (await decideOne(ctx, _id, decision)) count += 1;
    if (rows.length < receiptsPerRead) return count;
  }
}

async function decideOne(ctx: HeldContext, receiptNumber: string, decision: 'release' | 'drop') {
  return await retryOnConflict(async () => {
    const before = await ctx.stores.receipts.find(receiptNumber);
    if (!before?.held) return false;
    const receipt: Receipt = {
      ...before,
      held: null,
      observation: before.observation + 1,
      revision: before.revision + 1,
    };
    const mode = decision === 'release' ? 'confirmed' : 'dropped';
    const change = { kind: 'details', skip_reason: null } as const;
    const updates = { mode, change, shown: shownOf(receipt), previous: null, wasNotFound: false } as const;
    const fanOut = newFanOut(receipt, ctx.clock.now(), { updates });
    await writeReceipt(ctx, { before, receipt, fanOut });
    return true;
  });
}
