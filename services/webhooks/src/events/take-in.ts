import type { WebhookEventType } from '@casewatch/contracts';
import { currentContext, type Delivery, isDuplicateKey, newContext, transaction } from '@casewatch/platform';
import { writeEvent } from '../changes/write-event.ts';
import type { Context } from '../context.ts';
import { eventBody, eventIdOf } from '../domain/event-body.ts';
import { deletions } from '../store/events.ts';

/** One event of the bus, on its way to a partner's endpoints. */
export type Incoming = {
  type: WebhookEventType;
  /** Null: nobody's partner, so there is nobody to tell. */
  partnerId: number | null;
  userId: number;
  bus: Delivery;
  /** Where several events of the bus tell the same thing: what they have in common. */
  dedupeKey?: string;
  /** Asks the owner for what the body shows; null where that is gone meanwhile. */
  describe(partnerId: number): Promise<object | null>;
};

/**
 * Intake: the body is made once, stored with one delivery per subscribed endpoint, and the sender is woken. A message
 * that comes twice finds its event and does nothing (architecture.md §3).
 */
export async function takeIn(ctx: Context, incoming: Incoming): Promise<void> {
  const { partnerId } = incoming;
  if (partnerId === null) return;
  const id = eventIdOf(incoming.bus.id);
  const isKnown = await ctx.stores.events.exists(id);
  const made = isKnown ? [] : await store(ctx, id, partnerId, incoming);
  if (await isErased(ctx, incoming)) {
    // The user was erased while this was being stored, after the eraser had looked.
    await ctx.stores.deliveries.eraseUser(incoming.userId);
    await ctx.stores.events.eraseUser(incoming.userId);
    return;
  }
  ctx.signals.emit('deliveries', made);
}

async function store(ctx: Context, id: string, partnerId: number, incoming: Incoming): Promise<string[]> {
  const { type, userId, bus, dedupeKey } = incoming;
  if (await isErased(ctx, incoming)) return [];
  const data = await incoming.describe(partnerId);
  if (data === null) return [];
  const { traceparent } = currentContext() ?? newContext();
  const event = {
    _id: id,
    partner_id: partnerId,
    user_id: userId,
    type,
    body: eventBody({ id, type, time: bus.time, data }),
    traceparent,
    ...(dedupeKey !== undefined && { dedupe_key: dedupeKey }),
  };
  try {
    return await transaction(ctx.db, (session) => writeEvent(ctx, session, event));
  } catch (error) {
    // Another event of the bus has told the same before.
    if (isDuplicateKey(error, 'dedupe_key')) return [];
    throw error;
  }
}

async function isErased(ctx: Context, { type, userId }: Incoming): Promise<boolean> {
  return !deletions.includes(type) && (await ctx.stores.erasedUsers.has(userId));
}
