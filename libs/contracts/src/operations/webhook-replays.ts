import { z } from 'zod';
import { idText } from '../fields.ts';
import { operation } from '../operation.ts';
import { replaySelection, replayTask } from '../resources/replay-task.ts';
import { webhookEventFilter } from '../resources/webhook.ts';
import { done, timeText } from './common.ts';

const taskPath = z.strictObject({ webhook_id: idText, task_id: idText });

/** Replays of past events in the background (webhooks.md, Operations). */
export const webhookReplayOperations = {
  replay_events: operation({
    service: 'webhooks',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/replay',
    summary: 'Replay events',
    note: 'Sends events of the last 30 days again, in the background: at most 50,000. `failed` (default): failed deliveries, including those that wait for a retry. `missing`: events of the types of the endpoint without a delivery, for example because the endpoint was disabled. `all`: both, and what was delivered.',
    idempotent: true,
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    recorded: 'effect',
    params: z.strictObject({ webhook_id: idText }),
    body: z.strictObject({
      since: timeText,
      until: timeText.optional(),
      events: z.array(webhookEventFilter).min(1).max(20).optional(),
      status: replaySelection.default('failed'),
    }),
    success: { status: 202, body: z.strictObject({ ...done, task: replayTask }) },
    errors: ['webhook_not_found', 'replay_in_progress'],
  }),
  get_replay: operation({
    service: 'webhooks',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/tasks/{task_id}',
    summary: 'Get a replay',
    note: 'Retrieves the progress of a replay.',
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    params: taskPath,
    success: { status: 200, body: z.strictObject({ task: replayTask }) },
    errors: ['webhook_not_found', 'task_not_found'],
  }),
  cancel_replay: operation({
    service: 'webhooks',
    method: 'DELETE',
    path: '/v1/webhooks/{webhook_id}/tasks/{task_id}',
    summary: 'Cancel a replay',
    note: 'Stops a replay. Deliveries that are already queued are still sent. A finished replay does not change.',
    who: ['partner'],
    scope: 'webhooks',
    role: 'owner',
    recorded: 'effect',
    params: taskPath,
    success: { status: 200, body: z.strictObject({ ...done, task: replayTask }) },
    errors: ['webhook_not_found', 'task_not_found'],
  }),
};
