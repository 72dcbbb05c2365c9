import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { section } from '../../parts/page-head.ts';
import { pill } from '../../parts/pill.ts';
import { emptyState, table } from '../../parts/table.ts';
import type { ConsoleCall } from '../console-page.ts';
import { categoryTone } from '../states.ts';

/** Days in which a change is recent. */
export const recentDays = 14;
const shownRows = 8;

/** The cases whose status changed last. */
export function recentChanges({ times }: ConsoleCall, { cases }: Success<'list_partner_cases'>): Markup {
  const changes = cases
    .flatMap(({ latest_update, ...row }) => (latest_update ? [{ ...row, update: latest_update }] : []))
    .sort((a, b) => (a.update.timestamp < b.update.timestamp ? 1 : -1));
  const list = table({
    caption: 'Recent changes',
    head: ['Case', 'Status', 'When'],
    rows: changes
      .slice(0, shownRows)
      .map(({ update, ...row }) => [
        html`<a href="/console/cases/${row.user_case_id}">${row.description || row.user_case_id}</a><span class="under mono">${row.receipt_number}</span>`,
        pill(categoryTone(update.category), update.status_code),
        times.ago(update.timestamp),
      ]),
    empty: emptyState({
      title: 'No changes yet',
      text: 'When USCIS shows a new status for a case, the change appears here.',
    }),
  });
  return section('Recent changes', list, html`<a href="/console/cases">All cases</a>`);
}
