import type { SharedContext } from '../context.ts';
import { newFanOut, shownOf, type UpdatesForCases } from '../domain/fan-out.ts';
import { changeReceipt } from './change-receipt.ts';

type HeldContext = Pick<SharedContext, 'db' | 'stores' | 'clock'>;

const receiptsPerRead = 200;

/** Decides all held changes: users are notified (`release`), or not (`drop`). Returns the number of receipts. */
export async function decideHeld(ctx: HeldContext, decision: 'release' | 'drop'): Promise<number> {
  const mode = decision === 'release' ? 'confirmed' : 'dropped';
  const change = { kind: 'details', skip_reason: null } as const;
  let count = 0;
  for (;;) {
    const rows = await ctx.stores.receipts.findHeld(receiptsPerRead);
    for (const { _id } of rows) {
      const decided = await changeReceipt(ctx, _id, (stored) => {
        if (!stored?.held) return null;
        const { observation, revision } = stored;
        const receipt = { ...stored, held: null, observation: observation + 1, revision: revision + 1 };
        const updates: UpdatesForCases = {
          mode,
          change,
          shown: shownOf(receipt),
          previous: null,
          isNew: false,
          new_history: [],
          wasNotFound: false,
        };
        return { receipt, fanOut: newFanOut(receipt, ctx.clock.now(), { updates }) };
      });
      if (decided) count += 1;
    }
    if (rows.length < receiptsPerRead) return count;
  }
}
