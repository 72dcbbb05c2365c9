import { email as emailAddress, knownStatuses, monitoringState } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../../page.ts';
import { field, select } from '../../parts/field.ts';
import { optionalDay, optionalText } from '../../parts/form-values.ts';
import { startOfDay } from '../../parts/time.ts';
import type { ConsoleCall } from '../console-page.ts';
import { monitoringText } from '../states.ts';

export const caseFilters = z.object({
  receipt_number: optionalText,
  category: optionalText,
  /** E-mail address or id. */
  user: optionalText,
  monitoring: optionalText,
  /** A day in the zone of the person, `2026-11-23`. */
  since: optionalDay,
});

type Filters = z.output<typeof caseFilters>;

/** The filters as the operation takes them; null if there is no such user. */
export async function operationFilters(call: ConsoleCall, { user, since, ...same }: Filters) {
  const user_id = user === undefined ? undefined : await userIdOf(call, user);
  if (user_id === null) return null;
  return { ...same, user_id, updated_since: since && startOfDay(since, call.times.zone).toISOString() };
}

async function userIdOf({ ask, session }: ConsoleCall, user: string): Promise<string | null> {
  if (/^\d+$/.test(user)) return user;
  if (!session.principal.scopes.includes('users:read')) return null;
  const isAddress = emailAddress.safeParse(user).success;
  const { users } = isAddress
    ? await ask('list_partner_users', { query: { email: user, limit: '1' } })
    : { users: [] };
  return users[0] ? String(users[0].id) : null;
}

export function filterForm(
  { receipt_number, category, user, monitoring, since }: Filters,
  refusal: Refusal | null = null,
): Markup {
  return html`<form method="get" action="/console/cases" class="filters" role="search" aria-label="Cases">
${field({ name: 'receipt_number', label: 'Receipt number', type: 'search', value: receipt_number ?? '', placeholder: 'EAC9999103403', refusal })}
${field({ name: 'user', label: 'E-mail address of the user', type: 'search', value: user ?? '', placeholder: 'ana@example.com', refusal })}
${select({ name: 'category', label: 'Category', value: category ?? '', choices: [{ value: '', text: 'All categories' }, ...categoryChoices()], refusal })}
${select({ name: 'monitoring', label: 'Monitoring', value: monitoring ?? '', choices: [{ value: '', text: 'All' }, ...monitoringChoices], refusal })}
${field({ name: 'since', label: 'Changed since', type: 'date', value: since ?? '', refusal })}
<button type="submit" class="button">Filter</button>
</form>`;
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const categoryChoices = () =>
  [...new Set(knownStatuses().map(({ category }) => category))]
    .sort()
    .map((category) => ({ value: category, text: capitalised(category) }));

const monitoringChoices = monitoringState.options.map((value) => ({ value, text: monitoringText(value) }));
