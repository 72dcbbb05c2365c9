import { html } from '@casewatch/platform';
import type { Refusal, View } from '../../page.ts';
import { form } from '../../parts/form.ts';
import { optionalText } from '../../parts/form-values.ts';
import { pageHead } from '../../parts/page-head.ts';
import { consolePage } from '../console-page.ts';
import { endpointBody, endpointFields, endpointForm } from './endpoint-form.ts';
import { secretView } from './endpoint-secret.ts';

export const newEndpointForm = consolePage({
  method: 'GET',
  path: '/console/webhooks/new',
  scope: 'webhooks',
  handle: async () => newEndpointView(null),
});

export const createEndpoint = consolePage({
  method: 'POST',
  path: '/console/webhooks/new',
  scope: 'webhooks',
  form: endpointForm.extend({ idempotency_key: optionalText }),
  async handle({ ask, form: { idempotency_key, ...form } }) {
    const options = { body: endpointBody(form), idempotencyKey: idempotency_key };
    const { webhook } = await ask('create_webhook', options);
    return secretView('Endpoint added', webhook);
  },
  refused: async (_call, refusal) => newEndpointView(refusal),
});

function newEndpointView(refusal: Refusal | null): View {
  const main = html`${pageHead({ title: 'Add an endpoint', back: { href: '/console/webhooks', text: 'Webhooks' } })}
${form({ action: '/console/webhooks/new', content: endpointFields(null, refusal), button: 'Add endpoint', refusal, isOnce: true })}`;
  return { title: 'Add an endpoint', main };
}
