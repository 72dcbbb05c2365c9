import { deliveryStatus, webhookEventTypes } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../../page.ts';
import { field, select } from '../../parts/field.ts';
import { optionalDay, optionalText } from '../../parts/form-values.ts';
import { startOfDay } from '../../parts/time.ts';
import type { ConsoleCall } from '../console-page.ts';

export const deliveryFilters = z.object({ status: optionalText, event: optionalText, since: optionalDay });
type Filters = z.output<typeof deliveryFilters>;

/** The filters as the operation takes them. */
export function operationFilters({ times }: ConsoleCall, { since, ...same }: Filters) {
  return { ...same, since: since && startOfDay(since, times.zone).toISOString() };
}

const any = { value: '', text: 'All' };
const statuses = [any, ...deliveryStatus.options.map((value) => ({ value, text: value }))];
const types = [any, ...webhookEventTypes.map((value) => ({ value, text: value }))];

export function filterForm(
  id: number,
  { status, event, since }: Filters,
  refusal: Refusal | null = null,
): Markup {
  return html`<form method="get" action="/console/webhooks/${id}" class="filters" role="search" aria-label="Deliveries">
${select({ name: 'status', label: 'Status', value: status ?? '', choices: statuses, refusal })}
${select({ name: 'event', label: 'Event', value: event ?? '', choices: types, refusal })}
${field({ name: 'since', label: 'Since', type: 'date', value: since ?? '', refusal })}
<button type="submit" class="button">Filter</button>
</form>`;
}
