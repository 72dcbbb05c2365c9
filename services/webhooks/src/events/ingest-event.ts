import type { WebhookEventData, WebhookEventType } from '@casewatch/contracts';
import { type Delivery, rowContext } from '@casewatch/platform';
import { eraseMissedOfPartner } from '../changes/erase-partner.ts';
import { erasableUsers, type NewEvent } from '../changes/store-events.ts';
import type { Context } from '../context.ts';
import { eventBody, eventIdOf } from '../domain/event-body.ts';

type IncomingEvent = { [T in WebhookEventType]: Incoming<T> }[WebhookEventType];

type Incoming<T extends WebhookEventType> = {
  type: T;
  /** `user_id`: the person whose erasure erases the event; null for one that is of nobody. */
  owner: { partner_id: number | null; user_id: number | null };
  bus: Delivery;
  /** Common key of bus events that are one event for partners. */
  dedupeKey?: string;
  /** `data` of the body, by the replies of other services; null if the object is deleted. */
  describe(partnerId: number): Promise<WebhookEventData<T> | null>;
};

/** Stores an event with its body and deliveries once, and wakes the sender (architecture.md §3). */
export async function ingestEvent(ctx: Context, event: IncomingEvent): Promise<void> {
  const { partner_id: partnerId } = event.owner;
  if (partnerId === null) return;
  const id = eventIdOf(event.bus.id);
  // A body that is stored stays, even if the object is deleted in the meantime.
  const stored = event.bus.isRedelivered ? await ctx.stores.events.find(id) : null;
  const row = stored ?? (await describeEvent(id, partnerId, event));
  if (!row) return;
  await ctx.storeEvent(row);
  const [userId] = erasableUsers([row]);
  if (userId !== undefined) await ctx.eraseMissed(userId);
  // What a person's erasure keeps goes with the partner.
  else await eraseMissedOfPartner(ctx, partnerId);
}

async function describeEvent(id: string, partnerId: number, event: IncomingEvent): Promise<NewEvent | null> {
  const { type, owner, bus, dedupeKey } = event;
  const data = await event.describe(partnerId);
  if (data === null) return null;
  const { traceparent } = rowContext();
  return {
    _id: id,
    partner_id: partnerId,
    user_id: owner.user_id,
    type,
    body: eventBody({ id, type, time: bus.time, data }),
    traceparent,
    ...(dedupeKey !== undefined && { dedupe_key: dedupeKey }),
  };
}
