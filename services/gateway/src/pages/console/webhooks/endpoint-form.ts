import { type WebhookEventFilter, webhookEventFilter, webhookEventTypes } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../../page.ts';
import { checkbox, checkboxes, field, textArea } from '../../parts/field.ts';
import { checked, several } from '../../parts/form-values.ts';
import { headerLines } from './header-lines.ts';

const rateLimitFault = 'Type a number from 1 to 5,000.';

export const endpointForm = z.object({
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

/** The fields of the operations. Headers that are not typed stay as they are. */
export function endpointBody({ without_headers, headers, ...same }: z.output<typeof endpointForm>) {
  const sent = without_headers ? {} : headers;
  return { ...same, ...(sent && { headers: sent }) };
}

type Values = {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly rate_limit: number;
  /** Names; values are not shown again. */
  readonly headers: readonly string[];
};

const families: readonly WebhookEventFilter[] = ['*', 'case.*', 'user.*', 'notification.*', 'webhook.*'];
const choices = [...families, ...webhookEventTypes].map((value) => ({
  value,
  text: value === '*' ? 'All events' : value,
}));

export function endpointFields(endpoint: Values | null, refusal: Refusal | null): Markup {
  return html`${field({ name: 'url', label: 'Address', type: 'url', value: endpoint?.url ?? '', hint: 'An https address of your system.', placeholder: 'https://example.com/webhooks', isRequired: true, refusal })}
${field({ name: 'description', label: 'Description', value: endpoint?.description ?? '', refusal })}
${checkboxes({ name: 'events', label: 'Events', chosen: endpoint?.events ?? ['*'], choices, refusal })}
${field({ name: 'rate_limit', label: 'Maximum deliveries per second', type: 'number', value: String(endpoint?.rate_limit ?? 50), hint: 'From 1 to 5,000. More events wait.', isRequired: true, refusal })}
${headerFields(endpoint?.headers ?? [], refusal)}`;
}

function headerFields(present: readonly string[], refusal: Refusal | null): Markup {
  const hint =
    present.length === 0
      ? 'Sent with every delivery. One on each line; at most 10.'
      : `Now: ${present.join(', ')}. Leave the field empty to keep them; what you type replaces all of them.`;
  return html`${textArea({ name: 'headers', label: 'Your headers', hint, placeholder: 'X-Api-Key: value', refusal })}
${present.length > 0 && checkbox({ name: 'without_headers', label: 'Remove all headers', refusal })}`;
}
