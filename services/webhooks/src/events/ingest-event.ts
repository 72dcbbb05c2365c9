import type { WebhookEventData, WebhookEventType } from '@casewatch/contracts';
import { currentContext, type Delivery, isDuplicateKey, newContext, transaction } from '@casewatch/platform';
import { writeEvent } from '../changes/write-event.ts';
import type { Context } from '../context.ts';
import { eventBody, eventIdOf } from '../domain/event-body.ts';
import { deletions } from '../store/events.ts';

type IncomingEvent = { [T in WebhookEventType]: Incoming<T> }[WebhookEventType];

type Incoming<T extends WebhookEventType> = {
  type: T;
  owner: { partner_id: number | null; user_id: number };
  bus: Delivery;
  /** Common key of bus events that are one event for partners. */
  dedupeKey?: string;
  /** `data` of the body, by the replies of other services; null if the object is deleted. */
  describe(partnerId: number): Promise<WebhookEventData<T> | null>;
};

/** Stores an event with its body and deliveries once, and wakes the sender (architecture.md §3). */
export async function ingestEvent(ctx: Context, event: IncomingEvent): Promise<void> {
  const { partner_id: partnerId, user_id: userId } = event.owner;
  if (partnerId === null) return;
  const id = eventIdOf(event.bus.id);
  const isStored = await ctx.stores.events.exists(id);
  const deliveryIds = isStored ? [] : await store(ctx, id, partnerId, event);
  if (await isErased(ctx, event)) {
    // The user was erased during the write.
    await ctx.stores.deliveries.eraseUser(userId);
    await ctx.stores.events.eraseUser(userId);
    return;
  }
  ctx.signals.emit('deliveries', deliveryIds);
}

async function store(ctx: Context, id: string, partnerId: number, event: IncomingEvent): Promise<string[]> {
  const { type, owner, bus, dedupeKey } = event;
  if (await isErased(ctx, event)) return [];
  const data = await event.describe(partnerId);
  if (data === null) return [];
  const { traceparent } = currentContext() ?? newContext();
  const row = {
    _id: id,
    partner_id: partnerId,
    user_id: owner.user_id,
    type,
    body: eventBody({ id, type, time: bus.time, data }),
    traceparent,
    ...(dedupeKey !== undefined && { dedupe_key: dedupeKey }),
  };
  try {
    return await transaction(ctx.db, (session) => writeEvent(ctx, session, row));
  } catch (error) {
    if (isDuplicateKey(error, 'dedupe_key')) return [];
    throw error;
  }
}

async function isErased(ctx: Context, { type, owner }: IncomingEvent): Promise<boolean> {
  return !deletions.includes(type) && (await ctx.stores.erasedUsers.has(owner.user_id));
}
