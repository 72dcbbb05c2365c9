import { html, type Markup } from '@casewatch/platform';
import { section, stats } from '../parts/page-head.ts';
import { pill } from '../parts/pill.ts';
import { emptyState, table } from '../parts/table.ts';
import type { Times } from '../parts/time.ts';
import { duration } from './duration.ts';
import type { NotifierState, SystemState, WebhooksState } from './system-state.ts';

const noNotifier = html`<p class="quiet">The notifier does not answer.</p>`;
const noWebhooks = html`<p class="quiet">The service webhooks does not answer.</p>`;

/** Mails, messages, templates and endpoints. */
export function sendingSections({ services: { notifier, webhooks } }: SystemState, times: Times): Markup {
  return html`${section('Messages', notifier ? messages(notifier) : noNotifier)}
${section('WhatsApp templates', notifier ? templates(notifier) : noNotifier)}
${section('Webhooks', webhooks ? endpoints(webhooks, times) : noWebhooks)}`;
}

function messages({ queues, messages: counts, circuits }: NotifierState): Markup {
  const paused = circuits.map(
    ({ scope, remaining_seconds }) =>
      html`<li><b>${scope}</b> <span>paused for ${duration(remaining_seconds)}</span></li>`,
  );
  return html`<div class="stack">${stats(
    queues.map(({ queue, due, oldest_seconds }) => ({
      label: `Due: ${queue}`,
      value: due,
      note: due === 0 ? null : `the oldest for ${duration(oldest_seconds)}`,
    })),
  )}
${paused.length > 0 && html`<ul class="list">${paused}</ul>`}
<p class="quiet small">Messages of the last 24 hours:</p>
${table({
  caption: 'Messages of the last 24 hours',
  head: ['Queue', 'Status', 'Reason', 'Messages'],
  rows: counts.map(({ queue, status, code, count }) => [
    queue,
    pill(toneOf(status), status),
    code ?? '–',
    String(count),
  ]),
  empty: emptyState({ title: 'No messages', text: 'No message was created in the last 24 hours.' }),
})}</div>`;
}

function toneOf(status: string) {
  if (status === 'sent' || status === 'delivered') return 'good';
  return status === 'failed' || status === 'expired' ? 'bad' : 'idle';
}

function templates({ templates: rows }: NotifierState): Markup {
  const empty = emptyState({
    title: 'No templates',
    text: 'WhatsApp is off, or the templates are not compared with the provider yet.',
  });
  return table({
    caption: 'WhatsApp templates',
    head: ['Template', 'Language', 'State'],
    rows: (rows ?? []).map(({ template, language, is_ready, finding }) => [
      template,
      language,
      pill(is_ready ? 'good' : 'warn', finding),
    ]),
    empty,
  });
}

function endpoints(webhooks: WebhooksState, times: Times): Markup {
  const { failing, disabled, oldest_overdue_seconds, failing_endpoints } = webhooks;
  return html`<div class="stack">${stats([
    { label: 'Endpoints that fail', value: failing },
    { label: 'Disabled endpoints', value: disabled },
    { label: 'Oldest late delivery', value: duration(oldest_overdue_seconds) },
  ])}
${table({
  caption: 'Endpoints that fail',
  head: ['Endpoint', 'Partner', 'Failing', 'Attempts', 'Error'],
  rows: failing_endpoints.map(({ id, partner_id, host, failing_since, failures, error }) => [
    html`${host}<span class="under">number ${id}</span>`,
    String(partner_id),
    times.ago(failing_since),
    String(failures),
    error ?? '–',
  ]),
  empty: emptyState({ title: 'No endpoint fails', text: 'The last attempt at each endpoint succeeded.' }),
})}</div>`;
}
