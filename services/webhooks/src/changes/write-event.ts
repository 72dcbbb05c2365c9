import type { Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { filtersThatMatch } from '../domain/event-filter.ts';
import type { EventRow } from '../store/events.ts';

/**
 * Stores an event and one delivery for each endpoint that listens to it now, in one transaction.
 * @returns the ids of the deliveries; none where the event was there already
 */
export async function writeEvent(
  { stores }: Context,
  session: Session,
  event: Omit<EventRow, 'intake_at'>,
): Promise<string[]> {
  const at = await stores.events.insert(session, event);
  if (at === null) return [];
  const filters = filtersThatMatch(event.type);
  const subscribed = await stores.webhooks.subscribed(session, event.partner_id, filters);
  const { _id: event_id, type, user_id } = event;
  const rows = subscribed.map((webhook_id) => ({ event_id, event: type, webhook_id, user_id }));
  return await stores.deliveries.insert(session, rows, at);
}
