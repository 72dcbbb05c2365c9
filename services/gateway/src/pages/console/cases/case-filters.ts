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
  changed_since: optionalDay,
  active: optionalText,
  sort: optionalText,
});

/** A status that a lawyer looks at. */
export const urgentCategories = 'denied,evidence,rejected';

type Filters = z.output<typeof caseFilters>;

/** The filters as the operation takes them; null if there is no such user. */
export async function operationFilters(call: ConsoleCall, { user, since, changed_since, ...same }: Filters) {
  const user_id = user === undefined ? undefined : await userIdOf(call, user);
  if (user_id === null) return null;
  const from = (day: string | undefined) => day && startOfDay(day, call.times.zone).toISOString();
  return { ...same, user_id, updated_since: from(since), changed_since: from(changed_since) };
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
  { receipt_number, category, user, monitoring, since, changed_since, active, sort }: Filters,
  refusal: Refusal | null = null,
): Markup {
  return html`<form method="get" action="/console/cases" class="filters" role="search" aria-label="Cases">
${field({ name: 'receipt_number', label: 'Receipt number', type: 'search', value: receipt_number ?? '', placeholder: 'EAC9999103403', refusal })}
${field({ name: 'user', label: 'E-mail address of the user', type: 'search', value: user ?? '', placeholder: 'ana@example.com', refusal })}
${select({ name: 'category', label: 'Category', value: category ?? '', choices: [{ value: '', text: 'All categories' }, { value: urgentCategories, text: 'Denied, evidence or rejected' }, ...categoryChoices()], refusal })}
${select({ name: 'monitoring', label: 'Monitoring', value: monitoring ?? '', choices: [{ value: '', text: 'All' }, ...monitoringChoices], refusal })}
${select({ name: 'active', label: 'Monitored', value: active ?? '', choices: activeChoices, refusal })}
${select({ name: 'sort', label: 'Order', value: sort ?? '', choices: orderChoices, refusal })}
${field({ name: 'changed_since', label: 'Status changed since', type: 'date', value: changed_since ?? '', refusal })}
${field({ name: 'since', label: 'Updated since', type: 'date', value: since ?? '', refusal })}
<button type="submit" class="button">Filter</button>
</form>`;
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const categoryChoices = () =>
  [...new Set(knownStatuses().map(({ category }) => category))]
    .sort()
    .map((category) => ({ value: category, text: capitalised(category) }));

const monitoringChoices = monitoringState.options.map((value) => ({ value, text: monitoringText(value) }));

const activeChoices = [
  { value: '', text: 'All' },
  { value: 'true', text: 'Active cases' },
  { value: 'false', text: 'Paused cases' },
];

const orderChoices = [
  { value: '', text: 'Newest cases first' },
  { value: '-changed_at', text: 'Latest changes first' },
  { value: '-last_checked', text: 'Last checked first' },
];
