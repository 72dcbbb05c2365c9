import { html, type Markup } from '@casewatch/platform';
import type { Refusal } from '../../page.ts';
import { form } from '../../parts/form.ts';
import { pageHead } from '../../parts/page-head.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { attemptDetails } from './attempt.ts';
import { endpointBody, endpointFields, endpointForm } from './endpoint-form.ts';
import { webhookPath } from './webhook-path.ts';

export const editEndpointForm = consolePage({
  method: 'GET',
  path: '/console/webhooks/:webhook_id/edit',
  scope: 'webhooks',
  params: webhookPath,
  handle: async (call) => await editView(call, call.params.webhook_id, null),
});

export const editEndpoint = consolePage({
  method: 'POST',
  path: '/console/webhooks/:webhook_id/edit',
  scope: 'webhooks',
  params: webhookPath,
  form: endpointForm,
  async handle({ ask, params, form }) {
    await ask('update_webhook', { params, body: endpointBody(form) });
    return { to: `/console/webhooks/${params.webhook_id}` };
  },
  refused: async (call, refusal) => await editView(call, call.params.webhook_id, refusal),
});

export const activateEndpoint = consolePage({
  method: 'POST',
  path: '/console/webhooks/:webhook_id/activate',
  scope: 'webhooks',
  params: webhookPath,
  handle: async (call) => await setActive(call, call.params.webhook_id, true),
});

export const deactivateEndpoint = consolePage({
  method: 'POST',
  path: '/console/webhooks/:webhook_id/deactivate',
  scope: 'webhooks',
  params: webhookPath,
  handle: async (call) => await setActive(call, call.params.webhook_id, false),
});

export const deleteEndpoint = consolePage({
  method: 'POST',
  path: '/console/webhooks/:webhook_id/delete',
  scope: 'webhooks',
  params: webhookPath,
  async handle({ ask, params }) {
    await ask('delete_webhook', { params });
    return { to: '/console/webhooks' };
  },
});

/** Shows the answer of the endpoint to a test event. */
export const testEndpoint = consolePage({
  method: 'POST',
  path: '/console/webhooks/:webhook_id/test',
  scope: 'webhooks',
  params: webhookPath,
  async handle(call) {
    const { ask, params } = call;
    const { attempt, event_id } = await ask('test_webhook', { params, body: {} });
    const back = { href: `/console/webhooks/${params.webhook_id}`, text: 'Endpoint' };
    const main: Markup = html`${pageHead({ title: 'Test event', sub: html`<span class="mono">${event_id}</span>`, back })}
<div class="card">${attemptDetails(call, attempt)}</div>
<p class="section"><a class="button" href="${back.href}">Back to the endpoint</a></p>`;
    return { title: 'Test event', main };
  },
});

async function setActive({ ask }: ConsoleCall, webhook_id: number, active: boolean) {
  await ask('update_webhook', { params: { webhook_id }, body: { active } });
  return { to: `/console/webhooks/${webhook_id}` };
}

async function editView({ ask }: ConsoleCall, webhook_id: number, refusal: Refusal | null) {
  const { webhook } = await ask('get_webhook', { params: { webhook_id } });
  const path = `/console/webhooks/${webhook_id}`;
  const main = html`${pageHead({ title: 'Edit endpoint', back: { href: path, text: 'Endpoint' } })}
${form({ action: `${path}/edit`, content: endpointFields(webhook, refusal), button: 'Save', refusal })}`;
  return { title: 'Edit endpoint', main };
}
