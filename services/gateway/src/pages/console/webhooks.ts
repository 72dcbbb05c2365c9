import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { pageHead, pill } from '../parts/blocks.ts';
import { optionalText } from '../parts/form.ts';
import { emptyState, pager, table } from '../parts/table.ts';
import { type ConsoleCall, consolePage } from './console-page.ts';

export type Endpoint = Success<'list_webhooks'>['webhooks'][number];

export const webhookList = consolePage({
  method: 'GET',
  path: '/console/webhooks',
  scope: 'webhooks',
  query: z.object({ cursor: optionalText }),
  async handle(call) {
    const { webhooks, next_cursor } = await call.ask('list_webhooks', { query: call.query });
    const add = html`<a class="button primary" href="/console/webhooks/new">Add an endpoint</a>`;
    const main = html`${pageHead({ title: 'Webhooks', sub: 'Your systems that receive an event when something happens.', aside: add })}
${table({
  caption: 'Webhook endpoints',
  head: ['Endpoint', 'State', 'Events', 'Last delivery'],
  rows: webhooks.map((endpoint) => rowOf(call, endpoint)),
  empty: emptyState({
    title: 'No endpoints yet',
    text: 'Add the address of your system to receive events as they happen.',
    action: add,
  }),
})}
${pager({ url: call.url, next: next_cursor })}`;
    return { title: 'Webhooks', main, isLive: true };
  },
});

function rowOf({ times }: ConsoleCall, endpoint: Endpoint) {
  return [
    html`<a href="/console/webhooks/${endpoint.id}">${endpoint.description || endpoint.url}</a>${endpoint.description && html`<span class="under">${endpoint.url}</span>`}`,
    endpointPill(endpoint),
    html`<span class="quiet small">${endpoint.events.join(', ')}</span>`,
    html`${times.ago(endpoint.last_delivery_at)}${endpoint.last_status !== null && html`<span class="under">HTTP ${endpoint.last_status}</span>`}`,
  ];
}

export function endpointPill({ active, disabled_at, failing_since }: Endpoint): Markup {
  if (disabled_at !== null) return pill('bad', 'Disabled');
  if (!active) return pill('idle', 'Inactive');
  return failing_since === null ? pill('good', 'Active') : pill('warn', 'Failing');
}
