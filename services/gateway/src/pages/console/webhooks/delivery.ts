import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { buttonForm } from '../../parts/form.ts';
import { optionalText } from '../../parts/form-values.ts';
import { pageHead, section } from '../../parts/page-head.ts';
import { notice } from '../../parts/pill.ts';
import { emptyState } from '../../parts/table.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { planned } from '../planned.ts';
import { deliveryPill, deliveryReason } from '../states.ts';
import { attemptDetails } from './attempt.ts';
import { webhookPath } from './webhook-path.ts';

const deliveryPath = webhookPath.extend({ delivery_id: z.string().regex(/^[\w:-]{1,64}$/) });

/** One delivery: its event, and every attempt. */
export const deliveryPage = consolePage({
  method: 'GET',
  path: '/console/webhooks/:webhook_id/deliveries/:delivery_id',
  scope: 'webhooks',
  params: deliveryPath,
  query: z.object({ done: optionalText }),
  async handle(call) {
    const { params, query, times } = call;
    const { delivery } = await call.ask('get_delivery', { params });
    const endpoint = `/console/webhooks/${params.webhook_id}`;
    const path = `${endpoint}/deliveries/${delivery.id}`;
    const attempts = [...delivery.attempts].reverse().map((attempt) => attemptDetails(call, attempt));
    const main = html`${pageHead({
      back: { href: endpoint, text: 'Endpoint' },
      title: delivery.event,
      sub: html`<span class="mono">${delivery.event_id}</span> · ${times.exact(delivery.created_at)}`,
      aside: html`${deliveryPill(delivery.status)}${delivery.payload && buttonForm(`${path}/redeliver`, 'Send again', 'primary')}`,
    })}
${query.done && notice('good', 'The event is sent again. The attempt appears below.')}
${section('Attempts', attempts.length > 0 ? html`<div class="card">${attempts}</div>` : emptyState({ title: 'No attempts yet', text: 'The first attempt comes within seconds.' }), nextAttempt(planOf(call, delivery)))}
${section('Event', payload(delivery.payload))}`;
    return { title: 'Delivery', main, isLive: true };
  },
});

export const redeliver = consolePage({
  method: 'POST',
  path: '/console/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
  scope: 'webhooks',
  params: deliveryPath,
  async handle({ ask, params }) {
    await ask('redeliver', { params });
    return { to: `/console/webhooks/${params.webhook_id}/deliveries/${params.delivery_id}?done=sent` };
  },
});

function planOf(
  { times }: Pick<ConsoleCall, 'times'>,
  { reason, next_attempt_at }: Success<'get_delivery'>['delivery'],
) {
  if (reason !== null) return html`${deliveryReason(reason)}`;
  return next_attempt_at && html`next attempt ${planned(times, next_attempt_at, '')}`;
}

function nextAttempt(text: Markup | '' | null): Markup | null {
  return text ? html`<span class="quiet small">${text}</span>` : null;
}

function payload(event: unknown): Markup {
  if (event === null) return html`<p class="quiet">The event was deleted with its user.</p>`;
  return html`<pre tabindex="0" role="group" aria-label="Event">${JSON.stringify(event, null, 2)}</pre>`;
}
