import type { Handlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { updateWebhook } from './update-webhook.ts';

/** The operations that this service answers. */
export function routes(ctx: Context): Handlers<'webhooks'> {
  return {
    list_webhooks: listWebhooks(ctx),
    create_webhook: createWebhook(ctx),
    get_webhook: getWebhook(ctx),
    update_webhook: updateWebhook(ctx),
    delete_webhook: deleteWebhook(ctx),
    list_deliveries: listDeliveries(ctx),
  };
}
