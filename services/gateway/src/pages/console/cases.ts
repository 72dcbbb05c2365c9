import { knownStatuses, monitoringState, type Success } from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../page.ts';
import { countText, notice, pageHead, pill } from '../parts/blocks.ts';
import {
  field,
  filterButton,
  hidden,
  isFiltered,
  optionalDay,
  optionalText,
  select,
  several,
} from '../parts/form.ts';
import { emptyState, exportLink, pager, refusedList, table, withQuery } from '../parts/table.ts';
import { startOfDay } from '../parts/time.ts';
import { dueNote } from './answer.ts';
import { type ConsoleCall, can, consolePage } from './console-page.ts';
import {
  type Assignees,
  assignControl,
  changeCases,
  changedCounts,
  changedNotice,
  keyHints,
  listUrl,
  memberChoices,
  noAssignees,
  optionalAssignee,
  readAssignees,
} from './selection.ts';
import { categoryTone, monitoringText } from './states.ts';
import { userIdOf } from './user-filter.ts';

const caseFilters = z.object({
  /** What the search box of every page finds. */
  q: optionalText,
  receipt_number: optionalText,
  category: optionalText,
  /** E-mail address or id. */
  user: optionalText,
  monitoring: optionalText,
  urgent: optionalText,
  /** A day in the zone of the person, `2026-11-23`. */
  since: optionalDay,
  changed_since: optionalDay,
  active: optionalText,
  assignee_id: optionalText,
  reference: optionalText,
  sort: optionalText,
});

type Filters = z.output<typeof caseFilters>;

function head(
  call: ConsoleCall,
  filters: Markup,
  count: string | null = null,
  exported: Record<string, unknown> | null = null,
): Markup {
  const file = exported && exportLink('/console/cases.csv', exported);
  const add = html`<a class="button" href="/console/imports">Import</a><a class="button primary" href="/console/cases/new">Add a case</a>`;
  return pageHead({
    title: 'Cases',
    sub: count,
    aside: html`${filters}${can(call, 'cases:write') && html`${file}${add}`}`,
  });
}

/** Cases of all users, with filters in the address. */
export const caseList = consolePage({
  method: 'GET',
  path: '/console/cases',
  scope: 'cases:read',
  query: caseFilters.extend({ cursor: optionalText, ...changedCounts }),
  async handle(call) {
    const { cursor, changed, refused, ...filters } = call.query;
    const asked = await operationFilters(call, filters);
    const [answer, assignees] = await Promise.all([
      asked && call.ask('list_partner_cases', { query: { ...asked, cursor, limit: '50' } }),
      readAssignees(call),
    ]);
    const { cases, next_cursor, type_more } = answer ?? { cases: [], next_cursor: null, type_more: false };
    const main = html`${head(call, filterFields(call, assignees, filters), answer && caseCount(answer), asked)}
${changedNotice(changed, refused)}
${type_more && notice('info', 'More people match than one search can show. Type more letters to find the others.')}
${cases.length > 0 && can(call, 'cases:write') && selection(call, assignees)}
${caseTable(call, cases, isFiltered(filters) ? noMatch : noCases, { isSelectable: can(call, 'cases:write') })}
${pager({ url: call.url, next: next_cursor })}`;
    return { title: 'Cases', main, isLive: true };
  },
  refused: async (call, refusal) => ({
    title: 'Cases',
    main: html`${head(call, filterFields(call, noAssignees, caseFilters.parse({}), refusal))}
${refusedList(refusal, '/console/cases')}`,
  }),
});

/** What is done with the cases that are selected in the list. */
const changeSelected = consolePage({
  method: 'POST',
  path: '/console/cases/bulk',
  scope: 'cases:write',
  form: z.object({
    refs: several,
    to: z.enum(['assign', 'pause', 'resume']),
    assignee_id: optionalAssignee,
    back: optionalText,
  }),
  async handle(call) {
    const { refs: case_refs, to: action, assignee_id, back } = call.form;
    if (case_refs.length === 0)
      throw new ApiError('validation_failed', { message: 'Select at least one case.' });
    if (action === 'assign' && assignee_id === undefined)
      throw new ApiError('validation_failed', { message: 'Choose who gets the cases.' });
    const body = action === 'assign' ? { case_refs, action, assignee_id } : { case_refs, action };
    return { to: withQuery(listUrl('/console/cases', back), await changeCases(call, { body })) };
  },
  refused: async (call, refusal) => ({
    title: 'Cases',
    main: html`${head(call, html``)}${notice('bad', refusal.message)}
<p><a class="button" href="/console/cases">All cases</a></p>`,
  }),
});

export const caseListPages = [caseList, changeSelected];

/** The form of all rows: their boxes name it. */
function selection(call: ConsoleCall, assignees: Assignees): Markup {
  return html`<form method="post" action="/console/cases/bulk" id="act" class="act">${hidden('back', listUrl('/console/cases', call.url))}
${assignControl(call, assignees)}
<button type="submit" class="button" name="to" value="pause">Pause</button>
<button type="submit" class="button" name="to" value="resume">Resume</button>
${keyHints([
  ['x', 'select'],
  ['a', 'assign'],
])}</form>`;
}

/** The filters as the operation takes them; null if there is no such user. */
async function operationFilters(call: ConsoleCall, { user, since, changed_since, ...same }: Filters) {
  const user_id = user === undefined ? undefined : await userIdOf(call, user);
  if (user_id === null) return null;
  const from = (day: string | undefined) => day && startOfDay(day, call.times.zone).toISOString();
  return { ...same, user_id, updated_since: from(since), changed_since: from(changed_since) };
}

/** `1,234 cases`, where the list can be counted. */
function caseCount({ total, total_is_exact }: Success<'list_partner_cases'>): string | null {
  if (total === null || total === 0) return null;
  return `${countText(total, total_is_exact)} ${total === 1 ? 'case' : 'cases'}`;
}

function filterFields(
  call: ConsoleCall,
  assignees: Assignees,
  filters: Filters,
  refusal: Refusal | null = null,
): Markup {
  const { receipt_number, category, user, monitoring, urgent, since, changed_since, active, sort } = filters;
  return filterButton({
    action: '/console/cases',
    label: 'Cases',
    chosen: filters,
    refusal,
    fields: [
      ...(filters.q === undefined ? [] : [hidden('q', filters.q)]),
      select({
        name: 'assignee_id',
        label: 'Assignee',
        value: filters.assignee_id,
        choices: [{ value: '', text: 'Everybody' }, ...memberChoices(call, assignees)],
        refusal,
      }),
      field({
        name: 'reference',
        label: 'Matter number',
        type: 'search',
        value: filters.reference,
        refusal,
      }),
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
      select({ name: 'urgent', label: 'Urgency', value: urgent, choices: urgentChoices, refusal }),
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
export const categoryChoices = () => [
  { value: '', text: 'All categories' },
  ...[...new Set(knownStatuses().map(({ category }) => category))]
    .sort()
    .map((category) => ({ value: category, text: capitalised(category) })),
];

const monitoringChoices = [
  { value: '', text: 'All' },
  ...monitoringState.options.map((value) => ({ value, text: monitoringText(value) })),
];

const urgentChoices = [
  { value: '', text: 'All' },
  { value: 'true', text: 'Urgent statuses' },
  { value: 'false', text: 'Other statuses' },
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
  { value: 'respond_by', text: 'Answers due first' },
];

type Cases = Success<'list_partner_cases'>['cases'];

const noCases = emptyState({
  title: 'No cases yet',
  text: 'A case is a receipt number that we monitor for one of your users.',
  action: html`<a class="button primary" href="/console/cases/new">Add a case</a>`,
});

const noMatch = emptyState({
  title: 'No case matches',
  text: 'Change or clear the filters.',
  action: html`<a class="button" href="/console/cases">All cases</a>`,
});

/** Also on the page of a user. @param none in place of an empty list */
export function caseTable(
  { times }: ConsoleCall,
  cases: Cases,
  none: Markup,
  { isSelectable = false }: { readonly isSelectable?: boolean } = {},
): Markup {
  const box = (row: Cases[number]) =>
    isSelectable &&
    html`<input type="checkbox" class="pick" form="act" name="refs" value="${row.user_case_id}" aria-label="Select ${nameInList(row)}" data-key="x"> `;
  return table({
    caption: 'Cases',
    isDense: true,
    head: ['User', 'Case', 'Status', 'Form', 'Changed', 'Last checked', 'Assignee'],
    rows: cases.map((row) => [
      html`${box(row)}${userLink(row)}`,
      caseCell(row),
      row.latest_update
        ? html`<span class="title">${pill(row.active ? categoryTone(row.latest_update.category) : 'idle', row.latest_update.status_code)}${row.respond_done === null && dueNote(times, row.respond_by)}</span>`
        : html`<span class="quiet">${row.active ? 'No status yet' : 'Paused'}</span>`,
      row.latest_update?.form_type ?? '–',
      times.ago(row.latest_update?.timestamp, '–'),
      row.active ? times.ago(row.last_checked) : html`<span class="quiet">Paused</span>`,
      row.assignee?.name ?? html`<span class="quiet">Nobody</span>`,
    ]),
    empty: none,
  });
}

type Named = Pick<Cases[number], 'user_case_id' | 'description'>;

export function caseLink({ user_case_id, description }: Named): Markup {
  return html`<a href="/console/cases/${user_case_id}">${description || user_case_id}</a>`;
}

type OfUser = Pick<Cases[number], 'user_case_id' | 'user'>;

/** Whose case it is, in a list. A key without `users:read` sees the number of the case in its place. */
export function nameInList({ user_case_id, user }: OfUser): string {
  return user?.name ?? user_case_id;
}

/** The name opens the case. */
export function userLink(row: OfUser): Markup {
  return html`<a href="/console/cases/${row.user_case_id}">${nameInList(row)}</a>`;
}

/** What the firm calls the case, beside the name of the user. */
export function caseCell(row: Pick<Cases[number], 'receipt_number' | 'reference' | 'description'>): Markup {
  const own = row.reference ?? row.description;
  return html`<span class="mono">${row.receipt_number}</span>${own && html` <span class="quiet">${own}</span>`}`;
}
