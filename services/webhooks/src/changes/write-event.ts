import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { EventRow } from '../store/events.ts';
import { filtersOf } from '../store/subscriptions.ts';

/** Stores an event in a transaction. Returns the ids of its deliveries; none if the event is stored already. */
export async function writeEvent(
  { stores }: Context,
  session: Session,
  event: Omit<EventRow, 'intake_at' | 'endpoints'>,
): Promise<string[]> {
  const { _id: event_id, type, user_id } = event;
  const endpoints = await stores.webhooks.subscribed(session, event.partner_id, filtersOf(type));
  const created_at = await stores.events.insert(session, { ...event, endpoints });
  if (created_at === null) return [];
  const rows = endpoints.map((webhook_id) => ({ event_id, event: type, webhook_id, user_id, created_at }));
  return await stores.deliveries.insert(session, rows);
}
