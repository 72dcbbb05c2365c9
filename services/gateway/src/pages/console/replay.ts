import { idText, type TaskStatus } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { facts, pageHead, pill, type Tone } from '../parts/blocks.ts';
import { buttonForm, disclosure, form, hidden, optionalText, select } from '../parts/form.ts';
import { consolePage, lastHours, webhookPath } from './console-page.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const startReplay = consolePage({
  method: 'POST',
  path: '/console/webhooks/:webhook_id/replay',
  scope: 'webhooks',
  params: webhookPath,
  form: z.object({
    status: z.enum(['failed', 'missing', 'all']),
    hours: z.coerce.number().min(1).max(720),
    idempotency_key: optionalText,
  }),
  async handle({ ask, params, times, form: { status, hours, idempotency_key } }) {
    // The next whole minute: 30 days are not over before the service reads them, and who presses twice asks for the same.
    const from = times.now.getTime() - hours * hourMs;
    const since = new Date((Math.floor(from / minuteMs) + 1) * minuteMs).toISOString();
    const { task } = await ask('replay_events', {
      params,
      body: { status, since },
      idempotencyKey: idempotency_key,
    });
    return { to: `/console/webhooks/${params.webhook_id}/replays/${task.id}` };
  },
  async refused({ params }, refusal) {
    const path = `/console/webhooks/${params.webhook_id}`;
    const main = html`${pageHead({ title: 'Replay events', back: { href: path, text: 'Endpoint' } })}
${replayForm(path, refusal)}`;
    return { title: 'Replay events', main };
  },
});

const replayPath = webhookPath.extend({ task_id: idText });

const states: Readonly<Record<TaskStatus, [Tone, string]>> = {
  running: ['info', 'Running'],
  completed: ['good', 'Completed'],
  cancelled: ['idle', 'Cancelled'],
};

/** A replay moves by itself while the page is open. */
const replayPage = consolePage({
  method: 'GET',
  path: '/console/webhooks/:webhook_id/replays/:task_id',
  scope: 'webhooks',
  params: replayPath,
  async handle({ ask, params, times }) {
    const { task } = await ask('get_replay', { params });
    const path = `/console/webhooks/${params.webhook_id}`;
    const isRunning = task.status === 'running';
    const main = html`${pageHead({
      back: { href: path, text: 'Endpoint' },
      title: 'Replay',
      sub: html`${times.exact(task.since)} – ${times.exact(task.until)}`,
      aside: html`${pill(...states[task.status])}${isRunning && buttonForm(`${path}/replays/${task.id}/cancel`, 'Cancel')}`,
    })}
<div class="card"><progress value="${task.progress}" max="1" aria-label="Progress"></progress>
${facts([
  ['Progress', `${Math.round(task.progress * 100)} %`],
  ['Deliveries queued', String(task.queued)],
  ['Events', task.selection],
  ['Finished', times.ago(task.finished_at, 'Not yet')],
  task.limit_reached ? ['Limit', 'The replay ended at its limit. Start another replay for the rest.'] : null,
])}</div>`;
    return { title: 'Replay', main, isLive: isRunning };
  },
});

const cancelReplay = consolePage({
  method: 'POST',
  path: '/console/webhooks/:webhook_id/replays/:task_id/cancel',
  scope: 'webhooks',
  params: replayPath,
  async handle({ ask, params }) {
    await ask('cancel_replay', { params });
    return { to: `/console/webhooks/${params.webhook_id}/replays/${params.task_id}` };
  },
});

export const replayPages = [startReplay, replayPage, cancelReplay];

const selections = [
  { value: 'failed', text: 'Failed deliveries' },
  { value: 'missing', text: 'Events without a delivery' },
  { value: 'all', text: 'All events' },
];

/** Also on the page of an endpoint. @param path of that page */
export function replayForm(path: string, refusal: Refusal | null): Markup {
  return disclosure({
    summary: 'Replay…',
    text: 'Sends past events again, in the background, with the same ids.',
    action: `${path}/replay`,
    content: html`${select({ name: 'status', id: 'replay-status', label: 'Which events', value: 'failed', choices: selections, refusal })}
${select({ name: 'hours', label: 'From when', value: '24', choices: lastHours, refusal })}`,
    button: 'Start replay',
    isOnce: true,
    refusal,
  });
}

/** Deliveries that failed or wait for a retry, of as long as events are kept, in one press. @param path of the page of an endpoint */
export function retryAllFailed(path: string): Markup {
  return form({
    action: `${path}/replay`,
    content: html`${hidden('status', 'failed')}${hidden('hours', '720')}`,
    button: 'Retry all failed',
    tone: 'plain',
    isOnce: true,
  });
}
