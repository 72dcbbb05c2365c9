import { deliveryStatus, type Success, webhookEventTypes } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal, View } from '../page.ts';
import { bars, notice, pageHead, section, stats } from '../parts/blocks.ts';
import {
  buttonForm,
  choicesOf,
  disclosure,
  field,
  filterButton,
  isFiltered,
  optionalDay,
  optionalText,
  select,
} from '../parts/form.ts';
import { emptyState, pager, refusedList, table } from '../parts/table.ts';
import { planned, startOfDay } from '../parts/time.ts';
import { type ConsoleCall, consolePage, overlapField, overlapForm, webhookPath } from './console-page.ts';
import { attemptDetails } from './delivery.ts';
import { secretView } from './edit-endpoint.ts';
import { replayForm, retryAllFailed } from './replay.ts';
import { deliveryPill, deliveryReason } from './states.ts';
import { endpointPill } from './webhooks.ts';

const deliveryFilters = z.object({ status: optionalText, event: optionalText, since: optionalDay });
const path = '/console/webhooks/:webhook_id';
/** What each page of an endpoint needs. */
const ofEndpoint = { scope: 'webhooks', params: webhookPath } as const;
/** Longest overlap of two secrets, hours. */
const maxOverlapHours = 168;

type Endpoint = Success<'get_webhook'>['webhook'];
type Filters = z.output<typeof deliveryFilters>;
type Delivery = Success<'list_deliveries'>['deliveries'][number];

/** One endpoint: health, deliveries with filters, and what can be done. */
const endpointPage = consolePage({
  ...ofEndpoint,
  method: 'GET',
  path,
  query: deliveryFilters.extend({ cursor: optionalText, done: z.enum(['saved']).optional() }),
  async handle(call) {
    const { ask, params, times, url } = call;
    const { cursor, done, ...filters } = call.query;
    const since = filters.since && startOfDay(filters.since, times.zone).toISOString();
    const [{ webhook }, { deliveries, next_cursor }] = await Promise.all([
      ask('get_webhook', { params }),
      ask('list_deliveries', { params, query: { ...filters, since, cursor, limit: '25' } }),
    ]);
    const list = html`${durations(deliveries)}
${deliveryTable(call, webhook.id, deliveries)}${pager({ url, next: next_cursor })}`;
    const controls = html`${deliveries.some(isFailing) && retryAllFailed(`/console/webhooks/${webhook.id}`)}${filterFields(webhook.id, filters)}`;
    return { ...view(call, webhook, { list, controls, isSaved: done !== undefined }), isLive: true };
  },
  async refused(call, refusal) {
    const { webhook } = await call.ask('get_webhook', { params: call.params });
    const list = refusedList(refusal, `/console/webhooks/${webhook.id}`);
    return view(call, webhook, {
      list,
      controls: filterFields(webhook.id, deliveryFilters.parse({}), refusal),
    });
  },
});

const setActive = (verb: 'activate' | 'deactivate') =>
  consolePage({
    ...ofEndpoint,
    method: 'POST',
    path: `${path}/${verb}`,
    async handle({ ask, params }) {
      await ask('update_webhook', { params, body: { active: verb === 'activate' } });
      return { to: `/console/webhooks/${params.webhook_id}` };
    },
  });

const deleteEndpoint = consolePage({
  ...ofEndpoint,
  method: 'POST',
  path: `${path}/delete`,
  async handle({ ask, params }) {
    await ask('delete_webhook', { params });
    return { to: '/console/webhooks' };
  },
});

/** Shows the answer of the endpoint to a test event. */
const testEndpoint = consolePage({
  ...ofEndpoint,
  method: 'POST',
  path: `${path}/test`,
  async handle({ ask, params, times }) {
    const { attempt, event_id } = await ask('test_webhook', { params, body: {} });
    const back = { href: `/console/webhooks/${params.webhook_id}`, text: 'Endpoint' };
    const main = html`${pageHead({ title: 'Test event', sub: html`<span class="mono" data-copy>${event_id}</span>`, back })}
<div class="card">${attemptDetails(times, attempt)}</div>
<p class="section"><a class="button" href="${back.href}">Back to the endpoint</a></p>`;
    return { title: 'Test event', main };
  },
});

const rotateSecret = consolePage({
  ...ofEndpoint,
  method: 'POST',
  path: `${path}/rotate-secret`,
  form: overlapForm(maxOverlapHours),
  async handle({ ask, params, form }) {
    const { webhook } = await ask('rotate_webhook_secret', { params, ...form });
    return secretView('Secret rotated', webhook);
  },
});

export const endpointPages = [
  endpointPage,
  setActive('activate'),
  setActive('deactivate'),
  deleteEndpoint,
  testEndpoint,
  rotateSecret,
];

/** `controls`: beside the heading of the list. */
type Shown = { readonly list: Markup; readonly controls: Markup; readonly isSaved?: boolean };

function view(call: ConsoleCall, webhook: Endpoint, { list, controls, isSaved }: Shown): View {
  const main = html`${head(webhook)}
${isSaved && notice('good', 'The changes are saved.')}
${health(call, webhook)}
${figures(call, webhook)}
${endpointControls(webhook)}
${section('Deliveries', list, html`<div class="aside">${controls}</div>`)}`;
  return { title: 'Endpoint', main };
}

function head(webhook: Endpoint): Markup {
  const path = `/console/webhooks/${webhook.id}`;
  return pageHead({
    back: { href: '/console/webhooks', text: 'Webhooks' },
    title: webhook.description || 'Endpoint',
    sub: html`<span data-copy>${webhook.url}</span>`,
    aside: html`${endpointPill(webhook)}<a class="button" href="${path}/edit">Edit</a>${buttonForm(`${path}/test`, 'Send a test event', 'primary')}`,
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
    html`Deliveries have failed since ${times.exact(failing_since)}. We try again with growing pauses. Repair your system: the attempts below have its answers. Then send a test event.`,
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

/** Rarely used and with consequences: each opens below its button. */
function endpointControls(webhook: Endpoint): Markup {
  const path = `/console/webhooks/${webhook.id}`;
  return html`<section class="section"><h2 class="hidden">Actions</h2><div class="aside">
${buttonForm(`${path}/${webhook.active ? 'deactivate' : 'activate'}`, webhook.active ? 'Deactivate' : 'Activate')}
${replayForm(path, null)}
${rotation(path)}
${deletion(path)}
</div></section>`;
}

function rotation(path: string): Markup {
  return disclosure({
    summary: 'Rotate secret…',
    text: 'Creates a new signing secret and shows it once. The old secret also signs until the overlap ends.',
    action: `${path}/rotate-secret`,
    content: overlapField('f-overlap', maxOverlapHours),
    button: 'Rotate secret',
    isOnce: true,
  });
}

function deletion(path: string): Markup {
  return disclosure({
    summary: 'Delete…',
    summaryTone: 'bad',
    text: 'The endpoint receives no more events. This cannot be undone.',
    action: `${path}/delete`,
    button: 'Delete endpoint',
    tone: 'danger',
  });
}

const statuses = choicesOf(deliveryStatus.options, 'All');
const types = choicesOf(webhookEventTypes, 'All');

function filterFields(id: number, { status, event, since }: Filters, refusal: Refusal | null = null): Markup {
  return filterButton({
    action: `/console/webhooks/${id}`,
    label: 'Deliveries',
    chosen: { status, event, since },
    refusal,
    fields: [
      select({ name: 'status', label: 'Status', value: status, choices: statuses, refusal }),
      select({ name: 'event', label: 'Event', value: event, choices: types, refusal }),
      field({ name: 'since', label: 'Since', type: 'date', value: since, refusal }),
    ],
  });
}

function isFailing({ status, attempts }: Delivery): boolean {
  return status === 'failed' || (status === 'pending' && attempts.length > 0);
}

/** How long the endpoint took for the last attempt of each delivery that is listed, oldest first. */
function durations(deliveries: readonly Delivery[]): Markup | null {
  const times = deliveries.flatMap(({ attempts }) => attempts.at(-1)?.ms ?? []).reverse();
  if (times.length < 2) return null;
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const text = `Last attempts of the deliveries below: median ${median} ms, at most ${Math.max(...times)} ms`;
  return html`<div class="timing">${bars(times, text)}<span class="small quiet">${text}</span></div>`;
}

/** A case that was deleted has no page. */
function caseOf({ event, case: named }: Delivery): Markup | string {
  if (named === null) return '–';
  const { user_case_id, receipt_number } = named;
  if (event === 'case.deleted') return user_case_id;
  return html`<a href="/console/cases/${user_case_id}">${receipt_number ?? user_case_id}</a>`;
}

/** The deliveries of an endpoint, each with its last attempt. */
function deliveryTable(
  { times, query }: ConsoleCall<unknown, Readonly<Record<string, unknown>>>,
  id: number,
  deliveries: readonly Delivery[],
): Markup {
  return table({
    caption: 'Deliveries',
    head: ['Event', 'Case', 'Status', 'Attempts', 'Created'],
    rows: deliveries.map((delivery) => {
      const last = delivery.attempts.at(-1);
      return [
        html`<a href="/console/webhooks/${id}/deliveries/${delivery.id}">${delivery.event}</a><span class="under mono">${delivery.event_id}</span>`,
        caseOf(delivery),
        html`${deliveryPill(delivery.status)}${delivery.reason && html`<span class="under">${deliveryReason(delivery.reason)}</span>`}`,
        html`${delivery.attempts.length}${last && html`<span class="under">${last.error ?? `HTTP ${last.status ?? '–'}`} in ${last.ms} ms</span>`}`,
        html`${times.ago(delivery.created_at)}${delivery.next_attempt_at && html`<span class="under">next attempt ${planned(times, delivery.next_attempt_at, '')}</span>`}`,
      ];
    }),
    empty: isFiltered(query)
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
