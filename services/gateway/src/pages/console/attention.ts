import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { section } from '../parts/page-head.ts';
import { pill } from '../parts/pill.ts';
import { dateOf } from '../parts/time.ts';
import type { ConsoleCall } from './console-page.ts';

/** A key that ends within this time is shown, ms. */
const soonMs = 14 * 24 * 60 * 60 * 1000;

type Subject = {
  readonly cases: Success<'list_partner_cases'>['cases'];
  readonly webhooks: Success<'list_webhooks'>['webhooks'];
  readonly keys: Success<'list_keys'>['keys'];
  readonly status: Success<'get_status'>;
};

type Item = { readonly what: Markup; readonly state: Markup };

/** What a person of the partner can act on. */
export function attentionList(call: ConsoleCall, subject: Subject): Markup {
  const items = [...endpointItems(call, subject), ...keyItems(call, subject), ...caseItems(subject)];
  const list =
    items.length > 0
      ? html`<ul class="list">${items.map(({ what, state }) => html`<li><span>${what}</span>${state}</li>\n`)}</ul>`
      : html`<p class="quiet">Nothing needs your attention.</p>`;
  return section('Needs attention', html`<div class="card">${list}</div>`);
}

function endpointItems({ times }: ConsoleCall, { webhooks }: Subject): Item[] {
  return webhooks
    .filter((endpoint) => endpoint.failing_since !== null || endpoint.disabled_at !== null)
    .map((endpoint) => ({
      what: html`<a href="/console/webhooks/${endpoint.id}">${endpoint.description || endpoint.url}</a> <span class="quiet">fails since ${times.ago(endpoint.failing_since ?? endpoint.disabled_at)}</span>`,
      state: endpoint.disabled_at ? pill('bad', 'Disabled') : pill('warn', 'Failing'),
    }));
}

function keyItems({ times }: ConsoleCall, { keys }: Subject): Item[] {
  const now = times.now.getTime();
  return keys
    .filter(({ revoked_at, expires_at }) => {
      const end = expires_at === null ? null : dateOf(expires_at).getTime();
      return revoked_at === null && end !== null && end > now && end - now < soonMs;
    })
    .map((key) => ({
      what: html`<a href="/console/keys">API key ${key.name}</a> <span class="quiet">ends ${times.ago(key.expires_at)}</span>`,
      state: pill('warn', 'Ends soon'),
    }));
}

const urgent = new Set(['denied', 'evidence', 'rejected']);

function caseItems({ cases, status }: Subject): Item[] {
  const changed = cases.flatMap((row) =>
    row.latest_update && row.active && urgent.has(row.latest_update.category)
      ? [{ row, update: row.latest_update }]
      : [],
  );
  const overdue = status.overdue_receipts ?? 0;
  return [
    ...changed.slice(0, 5).map(({ row, update }) => ({
      what: html`<a href="/console/cases/${row.user_case_id}">${row.description || row.user_case_id}</a> <span class="quiet mono">${row.receipt_number}</span>`,
      state: pill(update.category === 'denied' ? 'bad' : 'warn', update.status_code),
    })),
    ...(overdue > 0
      ? [
          {
            what: html`Checks of ${overdue} receipts are late, over all partners`,
            state: pill('warn', 'Late'),
          },
        ]
      : []),
  ];
}
