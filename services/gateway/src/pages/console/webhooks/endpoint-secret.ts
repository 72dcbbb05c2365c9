import type { Success } from '@casewatch/contracts';
import { html } from '@casewatch/platform';
import { z } from 'zod';
import type { View } from '../../page.ts';
import { optionalText } from '../../parts/form-values.ts';
import { pageHead } from '../../parts/page-head.ts';
import { notice } from '../../parts/pill.ts';
import { secret } from '../../parts/secret.ts';
import { consolePage } from '../console-page.ts';
import { webhookPath } from './webhook-path.ts';

const hourSeconds = 3_600;

export const rotateSecret = consolePage({
  method: 'POST',
  path: '/console/webhooks/:webhook_id/rotate-secret',
  scope: 'webhooks',
  params: webhookPath,
  form: z.object({ overlap_hours: z.coerce.number().min(0).max(168), idempotency_key: optionalText }),
  async handle({ ask, params, form: { overlap_hours, idempotency_key } }) {
    const body = { overlap_seconds: Math.round(overlap_hours * hourSeconds) };
    const answer = await ask('rotate_webhook_secret', { params, body, idempotencyKey: idempotency_key });
    return secretView('Secret rotated', answer.webhook);
  },
});

/** The only page that shows the secret. */
export function secretView(title: string, webhook: Success<'create_webhook'>['webhook']): View {
  const shown =
    webhook.secret === null
      ? html`<p class="quiet">The secret was shown before. Rotate the secret to get a new one.</p>`
      : secret(webhook.secret);
  const main = html`${pageHead({ title, sub: webhook.url, back: { href: `/console/webhooks/${webhook.id}`, text: 'Endpoint' } })}
${notice('warn', 'Copy the signing secret now. It is not shown again.')}
<div class="card"><h2>Signing secret</h2>${shown}
<p class="quiet small">Your system verifies the signature of each event with this secret (Standard Webhooks).</p></div>`;
  return { title, main };
}
