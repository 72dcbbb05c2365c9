import { currentContext, type EventHandler, newContext } from '@casewatch/platform';
import DataLoader from 'dataloader';
import { type Arrival, storeUpdates } from '../changes/store-updates.ts';
import type { Context } from '../context.ts';

const maxBatchSize = 100;

/** Stores one notification per channel. Events that arrive together are stored together; the loops send them. */
export function onStatusUpdated(ctx: Context): EventHandler<'status.updated'> {
  const batches = new DataLoader((arrivals: readonly Arrival[]) => storeUpdates(ctx, arrivals), {
    cache: false,
    maxBatchSize,
    batchScheduleFn: (storeNow) => void setImmediate(storeNow),
  });
  return async (data) => {
    await batches.load({ data, context: currentContext() ?? newContext() });
  };
}
