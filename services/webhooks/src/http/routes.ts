import type { OperationHandlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listEventTypes } from './list-event-types.ts';
import { listEvents } from './list-events.ts';
import { listWebhooks } from './list-webhooks.ts';
import { updateWebhook } from './update-webhook.ts';

export const routes: OperationHandlers<'webhooks', Context> = {
  list_webhooks: listWebhooks,
  create_webhook: createWebhook,
  get_webhook: getWebhook,
  update_webhook: updateWebhook,
  delete_webhook: deleteWebhook,
  list_deliveries: listDeliveries,
  list_event_types: listEventTypes,
  list_events: listEvents,
};
