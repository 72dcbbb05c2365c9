import type { DetailedAttempt, Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { eventLines, lines, notice, pageHead, pill, section } from '../parts/blocks.ts';
import { buttonForm, optionalText } from '../parts/form.ts';
import { emptyState } from '../parts/table.ts';
import { planned, type Times } from '../parts/time.ts';
import { consolePage, webhookPath } from './console-page.ts';
import { deliveryPill, deliveryReason } from './states.ts';

const deliveryPath = webhookPath.extend({ delivery_id: z.string().regex(/^[\w:-]{1,64}$/) });

/** One delivery: its event, and every attempt. */
const deliveryPage = consolePage({
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
    const attempts = [...delivery.attempts].reverse().map((attempt) => attemptDetails(times, attempt));
    const main = html`${pageHead({
      back: { href: endpoint, text: 'Endpoint' },
      title: delivery.event,
      sub: html`<span class="mono" data-copy>${delivery.event_id}</span> · ${times.exact(delivery.created_at)}`,
      aside: html`${deliveryPill(delivery.status)}${delivery.payload && buttonForm(`${path}/redeliver`, 'Send again', 'primary')}`,
    })}
${query.done && notice('good', 'The event is sent again. The attempt appears below.')}
${section('Attempts', attempts.length > 0 ? html`<div class="card">${attempts}</div>` : emptyState({ title: 'No attempts yet', text: 'The first attempt comes within seconds.' }), nextAttempt(times, delivery))}
${section('Event', payload(delivery.payload))}`;
    return { title: 'Delivery', main, isLive: true };
  },
});

const redeliver = consolePage({
  method: 'POST',
  path: '/console/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
  scope: 'webhooks',
  params: deliveryPath,
  async handle({ ask, params }) {
    await ask('redeliver', { params });
    return { to: `/console/webhooks/${params.webhook_id}/deliveries/${params.delivery_id}?done=sent` };
  },
});

export const deliveryPages = [deliveryPage, redeliver];

function nextAttempt(
  times: Times,
  { reason, next_attempt_at }: Success<'get_delivery'>['delivery'],
): Markup | null {
  const next = next_attempt_at && html`next attempt ${planned(times, next_attempt_at, '')}`;
  const text = reason === null ? next : deliveryReason(reason);
  return text ? html`<span class="quiet small">${text}</span>` : null;
}

function payload(event: unknown): Markup {
  if (event === null) return html`<p class="quiet">The event was deleted with its user.</p>`;
  return eventLines(event);
}

/** One attempt: what we sent, and what the endpoint answered. */
export function attemptDetails(times: Times, attempt: DetailedAttempt): Markup {
  const { status, error, ms, at, message, response, request_headers, manual } = attempt;
  const outcome =
    error === null
      ? pill('good', `HTTP ${status ?? '–'}`)
      : pill('bad', status === null ? error : `HTTP ${status}`);
  const headers = Object.entries(request_headers).map(([name, value]) => `${name}: ${value}`);
  return html`<div class="attempt"><div class="row"><div>${outcome} <span class="quiet small">${ms} ms${manual && ', sent by hand'}</span></div><span class="quiet small">${times.exact(at)}</span></div>
${message && html`<p>${message}</p>`}
${response && html`${lines('Response', response)}`}
<details class="more"><summary>Request headers</summary>${lines('Request headers', headers.join('\n'))}</details></div>`;
}
