import type { Admission } from '../domain/admission.ts';
import { leaseMs } from '../domain/lease.ts';
import type { Signals } from '../signals.ts';
import { claimed, type NewDelivery, pending } from '../store/deliveries.ts';
import type { ClaimedDelivery } from '../store/delivery-claims.ts';
import type { DeliveryRow } from '../store/delivery-rows.ts';
import { deletions, type EventRow } from '../store/events.ts';
import type { Stores } from '../store/stores.ts';
import { subscribedTo } from '../store/subscriptions.ts';

export type NewEvent = Omit<EventRow, 'intake_at' | 'endpoints'>;

export type IntakeContext = {
  readonly stores: Stores;
  readonly signals: Signals;
  readonly admission: Admission;
  readonly random: { bytes(count: number): Buffer };
};

/** After this time readers of `GET /v1/events` may have passed the events, ms. */
const lateMs = 5_000;

/**
 * Stores a batch of events with their deliveries, without a transaction: a crash between the writes is repaired when the stream
 * delivers the events again. Returns an error for each event that must be delivered again.
 */
export async function storeEvents(ctx: IntakeContext, batch: readonly NewEvent[]): Promise<(Error | null)[]> {
  const startedAt = performance.now();
  const partnerIds = batch.map(({ partner_id }) => partner_id);
  const subscriptions = await ctx.stores.subscriptions.read(partnerIds, erasableUsers(batch));
  const rows = batch
    .filter((event) => !isOf(subscriptions.erased, event) && !subscriptions.of(event.partner_id).isDeleted)
    .map((event): EventRow => {
      const { webhooks } = subscriptions.of(event.partner_id);
      const endpoints = subscribedTo(webhooks, event.type).map(({ _id }) => _id);
      return { ...event, endpoints, intake_at: subscriptions.now };
    });
  const stored = await ctx.stores.events.insertAll(rows);
  if (performance.now() - startedAt > lateMs) await ctx.stores.events.takeInNow(rows.map(({ _id }) => _id));
  const claim = { token: ctx.random.bytes(12).toString('base64url'), at: startedAt };
  const events = stored.flatMap((event) => (event === null || event instanceof Error ? [] : event));
  const isNew = (event: EventRow) => rows.includes(event) && !subscriptions.of(event.partner_id).isSuspended;
  await storeDeliveries(ctx, planDeliveries(ctx, events, { isNew, claim, now: subscriptions.now }), claim);
  const errors = new Map(stored.map((event, i) => [rows[i]?._id, event]));
  return batch.map(({ _id }) => {
    const event = errors.get(_id);
    return event instanceof Error ? event : null;
  });
}

type Claim = { token: string; at: number };
type Planned = { event: EventRow; row: DeliveryRow };
type Plan = { isNew(event: EventRow): boolean; claim: Claim; now: Date };

/** Claims the deliveries of new events for which the endpoints' queues have places. */
function planDeliveries(
  { admission }: IntakeContext,
  events: readonly EventRow[],
  { isNew, claim, now }: Plan,
): Planned[] {
  const claimEnd = new Date(now.getTime() + leaseMs);
  return events.flatMap((event) => {
    const { _id: event_id, type, user_id, endpoints, intake_at: created_at } = event;
    const mayClaim = isNew(event);
    return endpoints.map((webhook_id): Planned => {
      const row: NewDelivery = { event_id, event: type, webhook_id, user_id, created_at };
      const isClaimed = mayClaim && admission.take(webhook_id);
      return { event, row: isClaimed ? claimed(row, claim.token, claimEnd) : pending(row) };
    });
  });
}

async function storeDeliveries(ctx: IntakeContext, planned: readonly Planned[], claim: Claim): Promise<void> {
  const known = await ctx.stores.deliveries.insertAll(planned.map(({ row }) => row));
  const fresh = planned.filter(({ row }) => !known.has(row._id));
  await handOver(ctx, fresh, claim);
}

/** The users whose erasure erases these events too. */
export function erasableUsers(events: readonly NewEvent[]): number[] {
  const erasable = events.filter(({ type }) => !deletions.includes(type));
  return [...new Set(erasable.flatMap(({ user_id }) => user_id ?? []))];
}

function isOf(erased: ReadonlySet<number>, { type, user_id }: NewEvent): boolean {
  return user_id !== null && erased.has(user_id) && !deletions.includes(type);
}

async function handOver(
  { signals, stores }: IntakeContext,
  planned: readonly Planned[],
  claim: Claim,
): Promise<void> {
  const own = planned.filter(({ row }) => row.claim !== null);
  const claimedDeliveries = own.map(({ row, event }): ClaimedDelivery => {
    const { _id, webhook_id, user_id, attempt_count } = row;
    return { _id, webhook_id, user_id, attempt_count, claim: claim.token, claimedAt: claim.at, event };
  });
  if (claimedDeliveries.length > 0 && !signals.emit('claimed', claimedDeliveries))
    await stores.deliveries.giveBack(claimedDeliveries);
  const others = planned.filter(({ row }) => row.claim === null).map(({ row }) => row._id);
  if (others.length > 0) signals.emit('deliveries', others);
}
