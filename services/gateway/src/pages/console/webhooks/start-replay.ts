import { html } from '@casewatch/platform';
import { z } from 'zod';
import { optionalText } from '../../parts/form-values.ts';
import { pageHead } from '../../parts/page-head.ts';
import { consolePage } from '../console-page.ts';
import { replayForm } from './endpoint-controls.ts';
import { webhookPath } from './webhook-path.ts';

const hourMs = 3_600_000;

export const startReplay = consolePage({
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
    const since = new Date(times.now.getTime() - hours * hourMs).toISOString();
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
