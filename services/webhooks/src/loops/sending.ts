import DataLoader from 'dataloader';
import type { Context } from '../context.ts';
import { leaseMs } from '../domain/lease.ts';
import type { ClaimedDelivery } from '../store/delivery-claims.ts';
import { ClaimKeeper } from './claim-keeper.ts';
import { InFlight } from './in-flight.ts';
import { type LoadedEndpoint, loadEndpoints } from './load-endpoint.ts';
import { createSettler, type Settler } from './settler.ts';

/** What the queues of all endpoints share. */
export type Sending = {
  readonly ctx: Context;
  readonly stopping: AbortSignal;
  readonly keeper: ClaimKeeper;
  readonly settler: Settler;
  readonly inFlight: InFlight;
  /** All deliveries that were due before are in the memory of some process, or their queue is behind; the database's time. */
  dueSince(): Date;
  /** Reads endpoints; null if deleted. */
  readonly endpoints: DataLoader<number, LoadedEndpoint | null>;
  /** Claims due deliveries by their ids; null if another replica has the claim. */
  readonly claims: DataLoader<string, ClaimedDelivery | null>;
};

/** Calls of all queues within this time go to the database together, ms. */
const together = {
  cache: false,
  maxBatchSize: 128,
  batchScheduleFn: (read: () => void) => void setTimeout(read, 2),
};

export function createSending(ctx: Context, stopping: AbortSignal, dueSince: () => Date): Sending {
  const keeper = new ClaimKeeper(ctx);
  return {
    ctx,
    stopping,
    keeper,
    settler: createSettler(ctx, keeper),
    inFlight: new InFlight(),
    dueSince,
    endpoints: new DataLoader((ids) => loadEndpoints(ctx, ids), together),
    claims: new DataLoader((ids) => claimDeliveries(ctx, ids), together),
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
  return ids.map((id) => claimed.get(id) ?? null);
}
