import { ApiError, type Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { presentTask } from '../../present/replay-task.ts';
import { loadWebhook } from '../load-webhook.ts';

/** DELETE /v1/webhooks/{webhook_id}/tasks/{task_id} */
export function cancelReplay(ctx: Context): Handler<'cancel_replay'> {
  return async ({ caller, params }) => {
    const webhook = await loadWebhook(ctx, caller.partner_id, params.webhook_id);
    const task = await ctx.stores.tasks.cancel(webhook._id, params.task_id, ctx.clock.now());
    if (!task) throw new ApiError('task_not_found');
    const message = task.status === 'cancelled' ? 'Replay cancelled.' : 'The replay has ended already.';
    return { body: { success: true, message, task: presentTask(task) } };
  };
}
