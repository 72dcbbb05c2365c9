import { deliveryStatus, type Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { field, select } from '../../parts/field.ts';
import { optionalText } from '../../parts/form-values.ts';
import { pageHead, section, stats } from '../../parts/page-head.ts';
import { pager } from '../../parts/pager.ts';
import { notice } from '../../parts/pill.ts';
import { emptyState, table } from '../../parts/table.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { deliveryPill } from '../states.ts';
import { endpointControls } from './endpoint-controls.ts';
import { webhookPath } from './webhook-path.ts';
import { endpointPill } from './webhooks.ts';

const query = z.object({ status: optionalText, event: optionalText, cursor: optionalText });
type Query = z.output<typeof query>;
type Endpoint = Success<'get_webhook'>['webhook'];

/** One endpoint: health, deliveries with filters, and what can be done. */
export const endpointPage = consolePage({
  method: 'GET',
  path: '/console/webhooks/:webhook_id',
  scope: 'webhooks',
  params: webhookPath,
  query,
  async handle(call) {
    const { ask, params, query: filter, url } = call;
    const [{ webhook }, { deliveries, next_cursor }] = await Promise.all([
      ask('get_webhook', { params }),
      ask('list_deliveries', { params, query: { ...filter, limit: '25' } }),
    ]);
    const main = html`${head(webhook)}
${health(call, webhook)}
${figures(call, webhook)}
${endpointControls(webhook)}
${section('Deliveries', html`${filters(webhook.id, filter)}${deliveryTable(call, webhook.id, deliveries)}${pager({ url, next: next_cursor })}`)}`;
    return { title: 'Endpoint', main, isLive: true };
  },
});

function head(webhook: Endpoint): Markup {
  const test = html`<form method="post" action="/console/webhooks/${webhook.id}/test"><button type="submit" class="button primary">Send a test event</button></form>`;
  return pageHead({
    back: { href: '/console/webhooks', text: 'Webhooks' },
    title: webhook.description || webhook.url,
    sub: webhook.description ? webhook.url : null,
    aside: html`${endpointPill(webhook)}<a class="button" href="/console/webhooks/${webhook.id}/edit">Edit</a>${test}`,
  });
}

function health(
  { times }: ConsoleCall,
  { disabled_at, disabled_reason, failing_since }: Endpoint,
): Markup | null {
  if (disabled_at !== null) {
    return notice(
      'bad',
      html`Disabled ${times.ago(disabled_at)}${disabled_reason && html`: ${disabled_reason}`}. Repair your system, activate the endpoint, then replay what is missing.`,
    );
  }
  if (failing_since === null) return null;
  return notice(
    'warn',
    html`Deliveries fail since ${times.exact(failing_since)}. We try again with growing pauses.`,
  );
}

function figures({ times }: ConsoleCall, webhook: Endpoint): Markup {
  const rate = webhook.success_rate_24h;
  return stats([
    {
      label: 'Delivered, 24 hours',
      value: rate === null ? '–' : `${Number((rate * 100).toFixed(1))} %`,
      note: rate === null ? 'no deliveries' : null,
    },
    {
      label: 'Last delivery',
      value: times.ago(webhook.last_delivery_at),
      note: webhook.last_status === null ? null : `HTTP ${webhook.last_status}`,
    },
    {
      label: 'Events',
      value:
        webhook.events.length === 1 ? eventName(webhook.events[0] ?? '') : `${webhook.events.length} types`,
      note: webhook.events.length === 1 ? null : webhook.events.join(', '),
    },
    {
      label: 'Limit',
      value: `${webhook.rate_limit} / s`,
      note: webhook.headers.length > 0 ? `headers: ${webhook.headers.join(', ')}` : null,
    },
  ]);
}

function eventName(filter: string): string {
  return filter === '*' ? 'All' : filter;
}

function filters(id: number, { status, event }: Query): Markup {
  const statuses = [
    { value: '', text: 'All' },
    ...deliveryStatus.options.map((value) => ({ value, text: value })),
  ];
  return html`<form method="get" action="/console/webhooks/${id}" class="filters" role="search" aria-label="Deliveries">
${select({ name: 'status', label: 'Status', value: status ?? '', choices: statuses })}
${field({ name: 'event', label: 'Event', type: 'search', value: event ?? '', placeholder: 'case.status_updated' })}
<button type="submit" class="button">Filter</button>
</form>`;
}

function deliveryTable(
  { times, query: filter }: ConsoleCall<unknown, Query>,
  id: number,
  deliveries: Success<'list_deliveries'>['deliveries'],
): Markup {
  return table({
    caption: 'Deliveries',
    head: ['Event', 'Status', 'Attempts', 'Created'],
    rows: deliveries.map((delivery) => {
      const last = delivery.attempts.at(-1);
      return [
        html`<a href="/console/webhooks/${id}/deliveries/${delivery.id}">${delivery.event}</a><span class="under mono">${delivery.event_id}</span>`,
        deliveryPill(delivery.status),
        html`${delivery.attempts.length}${last && html`<span class="under">${last.error ?? `HTTP ${last.status ?? '–'}`} in ${last.ms} ms</span>`}`,
        html`${times.ago(delivery.created_at)}${delivery.next_attempt_at && html`<span class="under">next attempt ${times.ago(delivery.next_attempt_at)}</span>`}`,
      ];
    }),
    empty:
      filter.status !== undefined || filter.event !== undefined
        ? emptyState({
            title: 'No delivery matches',
            text: 'Change or clear the filters.',
            action: html`<a class="button" href="/console/webhooks/${id}">All deliveries</a>`,
          })
        : emptyState({
            title: 'No deliveries yet',
            text: 'Send a test event, or wait for the next change of a case.',
          }),
  });
}
