import type { OperationHandlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getDelivery } from './deliveries/get-delivery.ts';
import { listCaseDeliveries } from './deliveries/list-case-deliveries.ts';
import { listDeliveries } from './deliveries/list-deliveries.ts';
import { redeliver } from './deliveries/redeliver.ts';
import { listEventTypes } from './events/list-event-types.ts';
import { listEvents } from './events/list-events.ts';
import { getStatistics } from './get-statistics.ts';
import { getWebhook } from './get-webhook.ts';
import { listWebhooks } from './list-webhooks.ts';
import { cancelReplay } from './replays/cancel-replay.ts';
import { getReplay } from './replays/get-replay.ts';
import { replayEvents } from './replays/replay-events.ts';
import { rotateSecret } from './rotate-secret.ts';
import { testWebhook } from './test-webhook.ts';
import { updateWebhook } from './update-webhook.ts';

export const routes: OperationHandlers<'webhooks', Context> = {
  list_webhooks: listWebhooks,
  create_webhook: createWebhook,
  get_webhook: getWebhook,
  update_webhook: updateWebhook,
  delete_webhook: deleteWebhook,
  rotate_webhook_secret: rotateSecret,
  test_webhook: testWebhook,
  list_deliveries: listDeliveries,
  list_case_deliveries: listCaseDeliveries,
  get_delivery: getDelivery,
  redeliver,
  get_statistics: getStatistics,
  replay_events: replayEvents,
  get_replay: getReplay,
  cancel_replay: cancelReplay,
  list_event_types: listEventTypes,
  list_events: listEvents,
};
