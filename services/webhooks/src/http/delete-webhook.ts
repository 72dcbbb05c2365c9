import { ApiError, acted, type Handler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';

/** DELETE /v1/webhooks/{webhook_id} */
export function deleteWebhook(ctx: Context): Handler<'delete_webhook'> {
  return async ({ caller, params }) => {
    const { partner_id: partnerId } = caller;
    await transaction(ctx.db, async (session) => {
      if (!(await ctx.stores.webhooks.remove(session, partnerId, params.webhook_id)))
        throw new ApiError('webhook_not_found');
      await ctx.stores.partners.decrement(session, partnerId);
      acted('webhook', params.webhook_id);
    });
    // If the process dies here, the sender finds no endpoint and cancels the deliveries.
    ctx.signals.emit('endpoint', params.webhook_id);
    await ctx.stores.deliveries.cancelOf(params.webhook_id);
    return { body: { success: true, message: 'Webhook deleted.' } };
  };
}
