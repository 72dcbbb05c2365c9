import { ApiError, type Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { presentTask } from '../../present/replay-task.ts';
import { loadWebhook } from '../load-webhook.ts';

/** GET /v1/webhooks/{webhook_id}/tasks/{task_id} */
export function getReplay(ctx: Context): Handler<'get_replay'> {
  return async ({ caller, params }) => {
    const webhook = await loadWebhook(ctx, caller.partner_id, params.webhook_id);
    const task = await ctx.stores.tasks.find(webhook._id, params.task_id);
    if (!task) throw new ApiError('task_not_found');
    return { body: { task: presentTask(task) } };
  };
}
