import type { Session } from '@casewatch/platform';
import { filtersThatMatch } from '../domain/event-filter.ts';
import type { DeliveryStore } from './deliveries.ts';
import type { EventRow, EventStore } from './events.ts';
import type { WebhookStore } from './webhooks.ts';

type Stores = { events: EventStore; webhooks: WebhookStore; deliveries: DeliveryStore };

/**
 * Stores an event and one delivery for each endpoint that listens to it now, in one transaction.
 * @returns the ids of the deliveries; none where the event was there already
 */
export async function writeEvent(
  { events, webhooks, deliveries }: Stores,
  session: Session,
  event: Omit<EventRow, 'intake_at'>,
): Promise<string[]> {
  const at = await events.insert(session, event);
  if (at === null) return [];
  const subscribed = await webhooks.subscribed(session, event.partner_id, filtersThatMatch(event.type));
  const { _id: event_id, type, user_id } = event;
  const rows = subscribed.map((webhook_id) => ({ event_id, event: type, webhook_id, user_id }));
  return await deliveries.insert(session, rows, at);
}
