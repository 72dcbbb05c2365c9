import type { ChangeContext } from '../../src/changes/change-receipt.ts';
import { fanOutBatch } from '../../src/changes/fan-out.ts';

/** Passes on all changes that wait, in their order, as the sender does. @returns the number of batches */
export async function passOnAll(ctx: ChangeContext): Promise<number> {
  for (let batches = 0; ; batches++) {
    const [row] = await ctx.stores.fanOuts.findAfter('', 1);
    if (!row) return batches;
    await fanOutBatch(ctx, row);
  }
}
