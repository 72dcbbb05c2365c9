import { type WebhookEventFilter, webhookEventFilter, webhookEventTypes } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../../page.ts';
import { checkboxes, field } from '../../parts/field.ts';
import { several } from '../../parts/form-values.ts';

export const endpointForm = z.object({
  url: z.string(),
  description: z.string(),
  events: several.pipe(z.array(webhookEventFilter).min(1, 'Choose at least one event.')),
});

type Values = { readonly url: string; readonly description: string; readonly events: readonly string[] };

const families: readonly WebhookEventFilter[] = ['*', 'case.*', 'user.*', 'notification.*', 'webhook.*'];
const choices = [...families, ...webhookEventTypes].map((value) => ({
  value,
  text: value === '*' ? 'All events' : value,
}));

export function endpointFields(endpoint: Values | null, refusal: Refusal | null): Markup {
  return html`${field({ name: 'url', label: 'Address', type: 'url', value: endpoint?.url ?? '', hint: 'An https address of your system.', placeholder: 'https://example.com/webhooks', isRequired: true, refusal })}
${field({ name: 'description', label: 'Description', value: endpoint?.description ?? '', refusal })}
${checkboxes({ name: 'events', label: 'Events', chosen: endpoint?.events ?? ['*'], choices, refusal })}`;
}
