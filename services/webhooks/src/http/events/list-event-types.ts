import { describeWebhookEventTypes } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';

const event_types = describeWebhookEventTypes();

/** GET /v1/webhooks/event-types */
export function listEventTypes(): Handler<'list_event_types'> {
  return async () => ({ body: { event_types } });
}
