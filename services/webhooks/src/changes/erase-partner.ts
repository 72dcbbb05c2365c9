import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { deliveryIdOf } from '../store/deliveries.ts';
import type { Stores } from '../store/stores.ts';

const rowsAtOnce = 500;

/**
 * Erases endpoints with their secrets, deliveries, replays and events of a partner. The row of the partner stays as a tombstone, written
 * first: events of its people that come later are dropped. May be repeated.
 */
export async function erasePartner(ctx: Context, partnerId: number, at: Date): Promise<void> {
  const { stores } = ctx;
  await stores.partners.setDeleted(partnerId, at);
  const webhooks = await stores.webhooks.ofPartners([partnerId]);
  for (const { _id } of webhooks) await eraseEndpoint(ctx, { partnerId, id: _id });
  await eraseEvents(stores, partnerId);
  await transaction(ctx.db, (session) => ctx.idempotency.erase(session, `partner/${partnerId}`));
  ctx.log.info({ partner_id: partnerId, webhooks: webhooks.length }, 'partner erased');
}

/** Deletes events that were stored although their partner is deleted: the erasure has missed them. */
export async function eraseMissedOfPartner(
  { stores }: { readonly stores: Stores },
  partnerId: number,
): Promise<void> {
  if (await stores.partners.isDeleted(partnerId)) await eraseEvents(stores, partnerId);
}

type Endpoint = { partnerId: number; id: number };

/** The endpoint goes last: a repetition after a crash finds what is left of it. While it is inactive, nobody sends to it. */
async function eraseEndpoint(
  { db, signals, stores }: Pick<Context, 'db' | 'signals' | 'stores'>,
  { partnerId, id }: Endpoint,
): Promise<void> {
  await transaction(db, async (session) => {
    await stores.webhooks.update(session, partnerId, { id, change: { active: false } });
    await stores.partners.raiseRevision(session, partnerId);
  });
  signals.emit('endpoint', id);
  await stores.tasks.removeAll(id);
  for (let removed = rowsAtOnce; removed === rowsAtOnce; )
    removed = await stores.deliveries.removeSome(id, rowsAtOnce);
  await transaction(db, async (session) => {
    if (await stores.webhooks.remove(session, partnerId, id))
      await stores.partners.decrement(session, partnerId);
  });
  signals.emit('endpoint', id);
}

/** Deliveries before their events: a repetition after a crash finds the events again. */
async function eraseEvents(stores: Stores, partnerId: number): Promise<void> {
  for (let found = rowsAtOnce; found === rowsAtOnce; ) {
    const events = await stores.events.someOfPartner(partnerId, rowsAtOnce);
    const deliveries = events.flatMap(({ _id, endpoints }) => endpoints.map((id) => deliveryIdOf(_id, id)));
    if (deliveries.length > 0) await stores.deliveries.removeAll(deliveries);
    if (events.length > 0) await stores.events.removeAll(events.map(({ _id }) => _id));
    found = events.length;
  }
}
