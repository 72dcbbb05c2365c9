import { knownStatuses, type Success } from '@casewatch/contracts';
import { html } from '@casewatch/platform';
import { z } from 'zod';
import { field, select } from '../../parts/field.ts';
import { optionalText } from '../../parts/form-values.ts';
import { pageHead } from '../../parts/page-head.ts';
import { pager } from '../../parts/pager.ts';
import { pill } from '../../parts/pill.ts';
import { emptyState, table } from '../../parts/table.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { categoryTone } from '../states.ts';

const query = z.object({
  receipt_number: optionalText,
  category: optionalText,
  user_id: optionalText,
  active: optionalText,
  cursor: optionalText,
});

type Query = z.output<typeof query>;

/** Cases of all users, with filters in the address. */
export const caseList = consolePage({
  method: 'GET',
  path: '/console/cases',
  scope: 'cases:read',
  query,
  async handle(call) {
    const { cases, next_cursor } = await call.ask('list_partner_cases', {
      query: { ...call.query, limit: '25' },
    });
    const main = html`${pageHead({
      title: 'Cases',
      aside: html`<a class="button primary" href="/console/users">Add a case</a>`,
    })}
${filters(call.query)}
${caseTable(call, cases, hasFilter(call.query))}
${pager({ url: call.url, next: next_cursor })}`;
    return { title: 'Cases', main, isLive: true };
  },
});

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const categoryChoices = () =>
  [...new Set(knownStatuses().map(({ category }) => category))]
    .sort()
    .map((category) => ({ value: category, text: capitalised(category) }));

function filters({ receipt_number, category, active, user_id }: Query) {
  return html`<form method="get" action="/console/cases" class="filters" role="search" aria-label="Cases">
${field({ name: 'receipt_number', label: 'Receipt number', type: 'search', value: receipt_number ?? '', placeholder: 'EAC9999103403' })}
${select({ name: 'category', label: 'Category', value: category ?? '', choices: [{ value: '', text: 'All categories' }, ...categoryChoices()] })}
${select({
  name: 'active',
  label: 'Monitoring',
  value: active ?? '',
  choices: [
    { value: '', text: 'All' },
    { value: 'true', text: 'Monitored' },
    { value: 'false', text: 'Paused' },
  ],
})}
${user_id !== undefined && html`<input type="hidden" name="user_id" value="${user_id}">`}
<button type="submit" class="button">Filter</button>
</form>`;
}

function hasFilter({ cursor, ...filters }: Query): boolean {
  return Object.values(filters).some((value) => value !== undefined) || cursor !== undefined;
}

type Cases = Success<'list_partner_cases'>['cases'];

/** Also on the page of a user. */
export function caseTable({ times }: ConsoleCall, cases: Cases, isFiltered: boolean) {
  return table({
    caption: 'Cases',
    head: ['Case', 'Status', 'Changed', 'Last checked'],
    rows: cases.map((row) => [
      html`<a href="/console/cases/${row.user_case_id}">${row.description || row.user_case_id}</a><span class="under mono">${row.receipt_number}</span>`,
      row.latest_update
        ? html`${pill(row.active ? categoryTone(row.latest_update.category) : 'idle', row.latest_update.status_code)}`
        : html`<span class="quiet">${row.active ? 'No status yet' : 'Paused'}</span>`,
      times.ago(row.latest_update?.timestamp, '–'),
      row.active ? times.ago(row.last_checked) : html`<span class="quiet">Paused</span>`,
    ]),
    empty: isFiltered
      ? emptyState({
          title: 'No case matches',
          text: 'Change or clear the filters.',
          action: html`<a class="button" href="/console/cases">All cases</a>`,
        })
      : emptyState({
          title: 'No cases yet',
          text: 'A case is a receipt number that we monitor for one of your users. Choose a user to add a case.',
          action: html`<a class="button primary" href="/console/users">Choose a user</a>`,
        }),
  });
}
