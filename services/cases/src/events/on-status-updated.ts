import type { StatusUpdated } from '@casewatch/contracts';
import { createBatch, type EventHandler } from '@casewatch/platform';
import { storeUpdates } from '../changes/store-updates.ts';
import type { Context } from '../context.ts';

const batches = { size: 128, gathers: true };

/** One batch at a time: parallel transactions about the same case would conflict. */
export function onStatusUpdated(ctx: Context): EventHandler<'status.updated'> {
  const store = createBatch((updates: readonly StatusUpdated[]) => storeUpdates(ctx, updates), batches);
  return async (data) => {
    await store(data);
  };
}
