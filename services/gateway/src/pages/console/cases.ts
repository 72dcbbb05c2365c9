import { email as emailAddress, knownStatuses, monitoringState, type Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { pageHead, pill } from '../parts/blocks.ts';
import { field, filterForm, isFiltered, optionalDay, optionalText, select } from '../parts/form.ts';
import { emptyState, pager, refusedList, table } from '../parts/table.ts';
import { startOfDay } from '../parts/time.ts';
import { type ConsoleCall, can, consolePage } from './console-page.ts';
import { categoryTone, monitoringText } from './states.ts';

const caseFilters = z.object({
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

const head = pageHead({
  title: 'Cases',
  aside: html`<a class="button primary" href="/console/users">Add a case</a>`,
});

/** Cases of all users, with filters in the address. */
export const caseList = consolePage({
  method: 'GET',
  path: '/console/cases',
  scope: 'cases:read',
  query: caseFilters.extend({ cursor: optionalText }),
  async handle(call) {
    const { cursor, ...filters } = call.query;
    const asked = await operationFilters(call, filters);
    const { cases, next_cursor } = asked
      ? await call.ask('list_partner_cases', { query: { ...asked, cursor, limit: '25' } })
      : { cases: [], next_cursor: null };
    const main = html`${head}
${filterFields(filters)}
${caseTable(call, cases, isFiltered(call.query) ? noMatch : noCases)}
${pager({ url: call.url, next: next_cursor })}`;
    return { title: 'Cases', main, isLive: true };
  },
  refused: async (_call, refusal) => ({
    title: 'Cases',
    main: html`${head}
${filterFields(caseFilters.parse({}), refusal)}
${refusedList(refusal, '/console/cases')}`,
  }),
});

/** The filters as the operation takes them; null if there is no such user. */
async function operationFilters(call: ConsoleCall, { user, since, changed_since, ...same }: Filters) {
  const user_id = user === undefined ? undefined : await userIdOf(call, user);
  if (user_id === null) return null;
  const from = (day: string | undefined) => day && startOfDay(day, call.times.zone).toISOString();
  return { ...same, user_id, updated_since: from(since), changed_since: from(changed_since) };
}

async function userIdOf(call: ConsoleCall, user: string): Promise<string | null> {
  if (/^\d+$/.test(user)) return user;
  if (!can(call, 'users:read')) return null;
  const isAddress = emailAddress.safeParse(user).success;
  const { users } = isAddress
    ? await call.ask('list_partner_users', { query: { email: user, limit: '1' } })
    : { users: [] };
  return users[0] ? String(users[0].id) : null;
}

function filterFields(
  { receipt_number, category, user, monitoring, since, changed_since, active, sort }: Filters,
  refusal: Refusal | null = null,
): Markup {
  return filterForm({
    action: '/console/cases',
    label: 'Cases',
    fields: [
      field({
        name: 'receipt_number',
        label: 'Receipt number',
        type: 'search',
        value: receipt_number,
        placeholder: 'EAC9999103403',
        refusal,
      }),
      field({
        name: 'user',
        label: 'E-mail address of the user',
        type: 'search',
        value: user,
        placeholder: 'ana@example.com',
        refusal,
      }),
      select({ name: 'category', label: 'Category', value: category, choices: categoryChoices(), refusal }),
      select({
        name: 'monitoring',
        label: 'Monitoring',
        value: monitoring,
        choices: monitoringChoices,
        refusal,
      }),
      select({ name: 'active', label: 'Monitored', value: active, choices: activeChoices, refusal }),
      select({ name: 'sort', label: 'Order', value: sort, choices: orderChoices, refusal }),
      field({
        name: 'changed_since',
        label: 'Status changed since',
        type: 'date',
        value: changed_since,
        refusal,
      }),
      field({ name: 'since', label: 'Updated since', type: 'date', value: since, refusal }),
    ],
  });
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const categoryChoices = () => [
  { value: '', text: 'All categories' },
  { value: urgentCategories, text: 'Denied, evidence or rejected' },
  ...[...new Set(knownStatuses().map(({ category }) => category))]
    .sort()
    .map((category) => ({ value: category, text: capitalised(category) })),
];

const monitoringChoices = [
  { value: '', text: 'All' },
  ...monitoringState.options.map((value) => ({ value, text: monitoringText(value) })),
];

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

type Cases = Success<'list_partner_cases'>['cases'];

const noCases = emptyState({
  title: 'No cases yet',
  text: 'A case is a receipt number that we monitor for one of your users. Choose a user to add a case.',
  action: html`<a class="button primary" href="/console/users">Choose a user</a>`,
});

const noMatch = emptyState({
  title: 'No case matches',
  text: 'Change or clear the filters.',
  action: html`<a class="button" href="/console/cases">All cases</a>`,
});

/** Also on the page of a user. @param none in place of an empty list */
export function caseTable({ times }: ConsoleCall, cases: Cases, none: Markup): Markup {
  return table({
    caption: 'Cases',
    head: ['Case', 'Status', 'Changed', 'Last checked'],
    rows: cases.map((row) => [
      caseCell(row),
      row.latest_update
        ? html`<span class="title">${pill(row.active ? categoryTone(row.latest_update.category) : 'idle', row.latest_update.status_code)}</span>`
        : html`<span class="quiet">${row.active ? 'No status yet' : 'Paused'}</span>`,
      times.ago(row.latest_update?.timestamp, '–'),
      row.active ? times.ago(row.last_checked) : html`<span class="quiet">Paused</span>`,
    ]),
    empty: none,
  });
}

type Named = Pick<Cases[number], 'user_case_id' | 'description' | 'receipt_number'>;

export function caseLink({ user_case_id, description }: Named): Markup {
  return html`<a href="/console/cases/${user_case_id}">${description || user_case_id}</a>`;
}

/** The first cell of a row about a case. */
export function caseCell(row: Named): Markup {
  return html`${caseLink(row)}<span class="under mono">${row.receipt_number}</span>`;
}
