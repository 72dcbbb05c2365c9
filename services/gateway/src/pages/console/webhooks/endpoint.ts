import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import type { View } from '../../page.ts';
import { optionalText } from '../../parts/form-values.ts';
import { pageHead, section, stats } from '../../parts/page-head.ts';
import { pager } from '../../parts/pager.ts';
import { notice } from '../../parts/pill.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { refusedList } from '../refused-list.ts';
import { deliveryFilters, filterForm, operationFilters } from './delivery-filters.ts';
import { deliveryTable } from './delivery-table.ts';
import { endpointControls } from './endpoint-controls.ts';
import { webhookPath } from './webhook-path.ts';
import { endpointPill } from './webhooks.ts';

const query = deliveryFilters.extend({ cursor: optionalText });
type Endpoint = Success<'get_webhook'>['webhook'];

/** One endpoint: health, deliveries with filters, and what can be done. */
export const endpointPage = consolePage({
  method: 'GET',
  path: '/console/webhooks/:webhook_id',
  scope: 'webhooks',
  params: webhookPath,
  query,
  async handle(call) {
    const { ask, params, url } = call;
    const { cursor, ...filters } = call.query;
    const [{ webhook }, { deliveries, next_cursor }] = await Promise.all([
      ask('get_webhook', { params }),
      ask('list_deliveries', { params, query: { ...operationFilters(call, filters), cursor, limit: '25' } }),
    ]);
    const list = html`${filterForm(webhook.id, filters)}${deliveryTable(call, webhook.id, deliveries)}${pager({ url, next: next_cursor })}`;
    return { ...view(call, webhook, list), isLive: true };
  },
  async refused(call, refusal) {
    const { webhook } = await call.ask('get_webhook', { params: call.params });
    const none = refusedList(refusal, { href: `/console/webhooks/${webhook.id}` });
    return view(call, webhook, html`${filterForm(webhook.id, deliveryFilters.parse({}), refusal)}${none}`);
  },
});

function view(call: ConsoleCall, webhook: Endpoint, deliveries: Markup): View {
  const main = html`${head(webhook)}
${health(call, webhook)}
${figures(call, webhook)}
${endpointControls(webhook)}
${section('Deliveries', deliveries)}`;
  return { title: 'Endpoint', main };
}

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
    html`Deliveries have failed since ${times.exact(failing_since)}. We try again with growing pauses.`,
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
