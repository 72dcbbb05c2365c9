import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { optionalText } from '../../parts/form-values.ts';
import { pageHead } from '../../parts/page-head.ts';
import { pager } from '../../parts/pager.ts';
import { pill } from '../../parts/pill.ts';
import { emptyState, table } from '../../parts/table.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { refusedList } from '../refused-list.ts';
import { categoryTone } from '../states.ts';
import { caseFilters, filterForm, operationFilters } from './case-filters.ts';

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
    const isFiltered = Object.values(call.query).some((value) => value !== undefined);
    const main = html`${head}
${filterForm(filters)}
${caseTable(call, cases, { isFiltered })}
${pager({ url: call.url, next: next_cursor })}`;
    return { title: 'Cases', main, isLive: true };
  },
  refused: async (_call, refusal) => ({
    title: 'Cases',
    main: html`${head}
${filterForm(caseFilters.parse({}), refusal)}
${refusedList(refusal, { href: '/console/cases' })}`,
  }),
});

type Cases = Success<'list_partner_cases'>['cases'];

const noCases = emptyState({
  title: 'No cases yet',
  text: 'A case is a receipt number that we monitor for one of your users. Choose a user to add a case.',
  action: html`<a class="button primary" href="/console/users">Choose a user</a>`,
});

/** Also on the page of a user. @param none in place of an empty list without filters */
export function caseTable(
  { times }: ConsoleCall,
  cases: Cases,
  { isFiltered = false, none = noCases }: { isFiltered?: boolean; none?: Markup },
) {
  return table({
    caption: 'Cases',
    head: ['Case', 'Status', 'Changed', 'Last checked'],
    rows: cases.map((row) => [
      html`<a href="/console/cases/${row.user_case_id}">${row.description || row.user_case_id}</a><span class="under mono">${row.receipt_number}</span>`,
      row.latest_update
        ? html`<span class="title">${pill(row.active ? categoryTone(row.latest_update.category) : 'idle', row.latest_update.status_code)}</span>`
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
      : none,
  });
}
