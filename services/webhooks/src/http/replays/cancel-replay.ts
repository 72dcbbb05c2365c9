import { ApiError, acted, type Handler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import type { Context } from '../../context.ts';
import { presentTask } from '../../present/replay-task.ts';
import { loadWebhook } from '../load-webhook.ts';

/** DELETE /v1/webhooks/{webhook_id}/tasks/{task_id} */
export function cancelReplay(ctx: Context): Handler<'cancel_replay'> {
  return async ({ caller, params }) => {
    const webhook = await loadWebhook(ctx, caller.partner_id, params.webhook_id);
    const { task_id: id } = params;
    const task = await transaction(ctx.db, async (session) => {
      const ended = await ctx.stores.tasks.cancel(session, webhook._id, { id, at: ctx.clock.now() });
      if (ended.isCancelled) acted('replay', id);
      return ended.task;
    });
    if (!task) throw new ApiError('task_not_found');
    const message = task.status === 'cancelled' ? 'Replay cancelled.' : 'The replay has ended already.';
    return { body: { success: true, message, task: presentTask(task) } };
  };
}
