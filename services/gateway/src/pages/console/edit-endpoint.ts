import {
  type Success,
  type WebhookEventFilter,
  webhookEventFilter,
  webhookEventTypes,
} from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal, View } from '../page.ts';
import { notice, pageHead, secret, section } from '../parts/blocks.ts';
import {
  buttonForm,
  changedFields,
  checkbox,
  checkboxes,
  checked,
  field,
  form,
  isEmpty,
  optionalText,
  several,
  shownFields,
  textArea,
} from '../parts/form.ts';
import { consoleForm, webhookPath } from './console-page.ts';

/** Headers as a person types them: `Name: value` on each line. Undefined without a line. */
const headerLines = z
  .string()
  .default('')
  .transform((text) => text.split('\n').filter((line) => line.trim() !== ''))
  .refine((lines) => lines.every((line) => /^[^:]+:/.test(line)), 'Write each header as `Name: value`.')
  .transform((lines) => (lines.length === 0 ? undefined : Object.fromEntries(lines.map(headerOf))));

function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

const rateLimitFault = 'Type a number from 1 to 5,000.';

const endpointForm = z.object({
  url: z.string(),
  description: z.string(),
  events: several.pipe(z.array(webhookEventFilter).min(1, 'Choose at least one event.')),
  rate_limit: z.coerce
    .number(rateLimitFault)
    .int(rateLimitFault)
    .min(1, rateLimitFault)
    .max(5_000, rateLimitFault),
  headers: headerLines,
  without_headers: checked,
});

const newEndpoint = consoleForm({
  path: '/console/webhooks/new',
  scope: 'webhooks',
  form: endpointForm.extend({ idempotency_key: optionalText }),
  async handle({ ask, form: { idempotency_key, ...form } }) {
    const options = { body: endpointBody(form), idempotencyKey: idempotency_key };
    const { webhook } = await ask('create_webhook', options);
    return secretView('Endpoint added', webhook);
  },
  async view(_call, refusal) {
    const main = html`${pageHead({ title: 'Add an endpoint', back: { href: '/console/webhooks', text: 'Webhooks' } })}
${form({ action: '/console/webhooks/new', content: endpointFields(null, refusal), button: 'Add endpoint', refusal, isOnce: true })}`;
    return { title: 'Add an endpoint', main };
  },
});

const editEndpoint = consoleForm({
  path: '/console/webhooks/:webhook_id/edit',
  scope: 'webhooks',
  params: webhookPath,
  form: endpointForm.extend({ shown: shownFields }),
  async handle({ ask, params, form: { shown, ...form } }) {
    const body = changedFields(endpointBody(form), shown);
    if (!isEmpty(body)) await ask('update_webhook', { params, body });
    return { to: `/console/webhooks/${params.webhook_id}?done=saved` };
  },
  async view({ ask, params }, refusal) {
    const { webhook } = await ask('get_webhook', { params });
    const { url, description, events, rate_limit } = webhook;
    const shown = { url, description, events, rate_limit };
    const path = `/console/webhooks/${params.webhook_id}`;
    const main = html`${pageHead({ title: 'Edit endpoint', back: { href: path, text: 'Endpoint' } })}
${form({ action: `${path}/edit`, content: endpointFields(webhook, refusal), button: 'Save', refusal, shown })}`;
    return { title: 'Edit endpoint', main };
  },
});

export const endpointForms = [...newEndpoint, ...editEndpoint];

/** The fields of the operations. Headers that are not typed stay as they are. */
function endpointBody({ without_headers, headers, ...same }: z.output<typeof endpointForm>) {
  const sent = without_headers ? {} : headers;
  return { ...same, ...(sent && { headers: sent }) };
}

const families: readonly WebhookEventFilter[] = [
  '*',
  'case.*',
  'user.*',
  'notification.*',
  'import.*',
  'webhook.*',
];
const choices = [...families, ...webhookEventTypes].map((value) => ({
  value,
  text: value === '*' ? 'All events' : value,
}));

function endpointFields(endpoint: Success<'get_webhook'>['webhook'] | null, refusal: Refusal | null): Markup {
  return html`${field({ name: 'url', label: 'Address', type: 'url', value: endpoint?.url, hint: 'An https address of your system.', placeholder: 'https://example.com/webhooks', isRequired: true, refusal })}
${field({ name: 'description', label: 'Description', value: endpoint?.description, refusal })}
${checkboxes({ name: 'events', label: 'Events', chosen: endpoint?.events ?? ['*'], choices, refusal })}
${field({ name: 'rate_limit', label: 'Maximum deliveries per second', type: 'number', value: String(endpoint?.rate_limit ?? 50), hint: 'From 1 to 5,000. More events wait.', isRequired: true, refusal })}
${headerFields(endpoint?.headers ?? [], refusal)}`;
}

/** `present`: names; values are not shown again. */
function headerFields(present: readonly string[], refusal: Refusal | null): Markup {
  const hint =
    present.length === 0
      ? 'Sent with every delivery. One on each line; at most 10.'
      : `Now: ${present.join(', ')}. Leave the field empty to keep them; what you type replaces all of them.`;
  return html`${textArea({ name: 'headers', label: 'Your headers', hint, placeholder: 'X-Api-Key: value', refusal })}
${present.length > 0 && checkbox({ name: 'without_headers', label: 'Remove all headers', refusal })}`;
}

/** The only page that shows the secret. */
export function secretView(title: string, webhook: Success<'create_webhook'>['webhook']): View {
  const shown =
    webhook.secret === null
      ? html`<p class="quiet">The secret was shown before. Rotate the secret to get a new one.</p>`
      : secret(webhook.secret);
  const main = html`${pageHead({ title, sub: webhook.url, back: { href: `/console/webhooks/${webhook.id}`, text: 'Endpoint' } })}
${notice('warn', 'Copy the signing secret now. It is not shown again.')}
<div class="card"><h2>Signing secret</h2>${shown}
<p class="quiet small">Your system verifies the signature of each event with this secret (Standard Webhooks).</p></div>
${section(
  'Next',
  html`<p>Put the secret into your system, then see whether it takes an event.</p>
<div class="actions">${buttonForm(`/console/webhooks/${webhook.id}/test`, 'Send a test event', 'primary')}<a class="button" href="/docs">How to verify a signature</a></div>`,
)}`;
  return { title, main };
}
