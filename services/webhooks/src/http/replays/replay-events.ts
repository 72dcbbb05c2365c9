import type { Answer, Handler } from '@casewatch/platform';
import { newReplay, storeReplay } from '../../changes/new-replay.ts';
import type { Context } from '../../context.ts';
import { presentTask } from '../../present/replay-task.ts';
import type { TaskRow } from '../../store/tasks.ts';
import { loadWebhook } from '../load-webhook.ts';

/** POST /v1/webhooks/{webhook_id}/replay: the loop `replay` does the work. */
export function replayEvents(ctx: Context): Handler<'replay_events'> {
  return async ({ caller, params, body, remember }) => {
    const webhook = await loadWebhook(ctx, caller.partner_id, params.webhook_id);
    const row = await newReplay(ctx, webhook._id, body);
    await storeReplay(ctx, row, (session) => remember(session, answerOf(row)));
    ctx.signals.emit('replay');
    return answerOf(row);
  };
}

function answerOf(row: TaskRow): Answer<'replay_events'> {
  return {
    headers: { location: `/v1/webhooks/${row.webhook_id}/tasks/${row._id}` },
    body: { success: true, message: 'Replay started.', task: presentTask(row) },
  };
}
