import { idText, type TaskStatus } from '@casewatch/contracts';
import { html } from '@casewatch/platform';
import { buttonForm } from '../../parts/form.ts';
import { facts, pageHead } from '../../parts/page-head.ts';
import { pill, type Tone } from '../../parts/pill.ts';
import { consolePage } from '../console-page.ts';
import { webhookPath } from './webhook-path.ts';

const replayPath = webhookPath.extend({ task_id: idText });

const states: Readonly<Record<TaskStatus, [Tone, string]>> = {
  running: ['info', 'Running'],
  completed: ['good', 'Completed'],
  cancelled: ['idle', 'Cancelled'],
};

/** A replay moves by itself while the page is open. */
export const replayPage = consolePage({
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

export const cancelReplay = consolePage({
  method: 'POST',
  path: '/console/webhooks/:webhook_id/replays/:task_id/cancel',
  scope: 'webhooks',
  params: replayPath,
  async handle({ ask, params }) {
    await ask('cancel_replay', { params });
    return { to: `/console/webhooks/${params.webhook_id}/replays/${params.task_id}` };
  },
});
