import type { WebhookEventFilter } from '@casewatch/contracts';
import type { Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { EventRow } from '../store/events.ts';

/** Returns the ids of the deliveries; none if the event is stored already. */
export async function writeEvent(
  { stores }: Context,
  session: Session,
  event: Omit<EventRow, 'intake_at'>,
): Promise<string[]> {
  const at = await stores.events.insert(session, event);
  if (at === null) return [];
  const { _id: event_id, type, user_id } = event;
  const family = `${type.slice(0, type.indexOf('.'))}.*` as WebhookEventFilter;
  const subscribed = await stores.webhooks.subscribed(session, event.partner_id, [type, family, '*']);
  const rows = subscribed.map((webhook_id) => ({ event_id, event: type, webhook_id, user_id }));
  return await stores.deliveries.insert(session, rows, at);
}
