import type { Body, Fault } from '@casewatch/contracts';
import { type Answer, ApiError, faultsError, type Handler } from '@casewatch/platform';
import { isDuplicateKey, transaction } from '@casewatch/platform/database';
import type { Context } from '../../context.ts';
import { presentTask } from '../../present/replay-task.ts';
import type { TaskRow } from '../../store/tasks.ts';
import { loadWebhook } from '../load-webhook.ts';

/** As long as events are stored, ms. */
const longestMs = 30 * 24 * 60 * 60 * 1_000;

/** POST /v1/webhooks/{webhook_id}/replay: the loop `replay` does the work. */
export function replayEvents(ctx: Context): Handler<'replay_events'> {
  return async ({ caller, params, body, remember }) => {
    const webhook = await loadWebhook(ctx, caller.partner_id, params.webhook_id);
    const row = await newTask(ctx, webhook._id, body);
    try {
      await transaction(ctx.db, async (session) => {
        await ctx.stores.tasks.insert(session, row);
        await remember(session, answerOf(row));
      });
    } catch (error) {
      if (isDuplicateKey(error, 'webhook_id')) throw new ApiError('replay_in_progress', { retryAfterS: 60 });
      throw error;
    }
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

async function newTask(ctx: Context, webhookId: number, body: Body<'replay_events'>): Promise<TaskRow> {
  const now = ctx.clock.now();
  const { since, events = [], status } = body;
  const until = body.until && body.until < now ? body.until : now;
  checkPeriod(since, until, now);
  return {
    _id: await ctx.ids.next('tasks'),
    webhook_id: webhookId,
    status: 'running',
    selection: status,
    events: [...new Set(events)],
    since,
    until,
    position: null,
    batches: 0,
    queued: 0,
    limit_reached: false,
    created_at: now,
    finished_at: null,
  };
}

function checkPeriod(since: Date, until: Date, now: Date): void {
  const fault = (message: string): Fault => ({ in: 'body', pointer: '#/since', code: 'too_old', message });
  if (since.getTime() < now.getTime() - longestMs)
    throw faultsError([fault('must be within the last 30 days')]);
  const message = until < now ? 'must be before until' : 'must be in the past';
  if (since >= until) throw faultsError([{ ...fault(message), code: 'invalid_value' }]);
}
