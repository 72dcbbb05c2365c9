import { createBatch } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { leaseMs } from '../domain/lease.ts';
import type { ClaimedDelivery, DueRow } from '../store/delivery-claims.ts';
import type { Failure, Success } from '../store/webhook-health.ts';
import { ClaimKeeper } from './claim-keeper.ts';
import { createDueTime, type DueTime } from './due-time.ts';
import { InFlight } from './in-flight.ts';
import { type LoadedEndpoint, loadEndpoints } from './load-endpoint.ts';
import { createSettler, type Settler } from './settler.ts';

export type Sending = {
  readonly ctx: Context;
  readonly stopping: AbortSignal;
  readonly keeper: ClaimKeeper;
  readonly settler: Settler;
  readonly inFlight: InFlight;
  readonly dueTime: DueTime;
  readonly readEndpoint: (webhookId: number) => Promise<LoadedEndpoint | null>;
  /** Claims due deliveries by their ids; null if another replica has the claim. */
  readonly claim: (deliveryId: string) => Promise<ClaimedDelivery | null>;
  /** Finds deliveries of an endpoint that became due after `from`, the oldest first. */
  readonly findDue: (question: { webhookId: number; from: Date }) => Promise<DueRow[]>;
  readonly storeSuccess: (success: Success) => Promise<null>;
  readonly storeFailure: (failure: Failure) => Promise<null>;
};

/** Calls of all queues go to the database together, one batch after the other, so that they use few connections. */
const batches = { size: 128 };
/** Queues that look at the same time: fewer than the connections to the database. */
const parallelLooks = 8;
export const dueOfOneLook = 500;

export function createSending(ctx: Context, stopping: AbortSignal): Sending {
  const keeper = new ClaimKeeper(ctx);
  const dueTime = createDueTime();
  return {
    ctx,
    stopping,
    keeper,
    settler: createSettler(ctx, keeper, stopping),
    inFlight: new InFlight(),
    dueTime,
    readEndpoint: createBatch((ids: readonly number[]) => loadEndpoints(ctx, ids), batches),
    claim: createBatch((ids: readonly string[]) => claimDeliveries(ctx, ids), batches),
    findDue: createBatch(
      (questions: readonly { webhookId: number; from: Date }[]) =>
        Promise.all(
          questions.map(({ webhookId, from }) =>
            ctx.stores.deliveries.dueOf(webhookId, { from, now: dueTime.now() }, dueOfOneLook),
          ),
        ),
      { size: parallelLooks },
    ),
    storeSuccess: createBatch(each(ctx.stores.webhookHealth.recordSuccesses), batches),
    storeFailure: createBatch(each(ctx.stores.webhookHealth.recordFailures), batches),
  };
}

async function claimDeliveries(ctx: Context, ids: readonly string[]): Promise<(ClaimedDelivery | null)[]> {
  const claimedAt = performance.now();
  const claim = ctx.random.bytes(12).toString('base64url');
  const rows = await ctx.stores.deliveries.claimAll(ids, claim, leaseMs);
  const events = await ctx.stores.events.findAll([...new Set(rows.map(({ event_id }) => event_id))]);
  const claimed = new Map(
    rows.map(({ event_id, ...row }): [string, ClaimedDelivery] => {
      return [row._id, { ...row, claim, claimedAt, event: events.get(event_id) ?? null }];
    }),
  );
  return ids.map((id) => {
    const delivery = claimed.get(id) ?? null;
    // An id that is there twice is one delivery.
    claimed.delete(id);
    return delivery;
  });
}

function each<T>(store: (items: readonly T[]) => Promise<void>) {
  return async (items: readonly T[]): Promise<null[]> => {
    await store(items);
    return items.map(() => null);
  };
}
