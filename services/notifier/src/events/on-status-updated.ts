import { createBatch, currentContext, type EventHandler, newContext } from '@casewatch/platform';
import { type Arrival, storeUpdates } from '../changes/store-updates.ts';
import type { Context } from '../context.ts';
import { planEstimated } from '../firm/take-dates.ts';

const batches = { size: 100, waitMs: 0 };

/**
 * Stores one notification per channel. Events that arrive together are stored together; the loops send them. A day for an answer gets
 * its reminders.
 */
export function onStatusUpdated(ctx: Context): EventHandler<'status.updated'> {
  const store = createBatch((arrivals: readonly Arrival[]) => storeUpdates(ctx, arrivals), batches);
  return async (data, delivery) => {
    await store({ data, context: currentContext() ?? newContext() });
    await planEstimated(ctx, data, delivery);
  };
}
