import { html, type Markup } from '@casewatch/platform';
import { section } from '../../parts/page-head.ts';
import { pill } from '../../parts/pill.ts';
import { emptyState, table } from '../../parts/table.ts';
import type { ConsoleCall } from '../console-page.ts';
import { categoryTone } from '../states.ts';
import { type Counted, moreText } from './attention-cases.ts';

/** Days in which a change is recent. */
export const recentDays = 14;
export const shownRows = 8;

/** The cases that changed last, as the query sorted them. `href`: the whole list. */
export function recentChanges({ times }: ConsoleCall, listed: NonNullable<Counted>, href: string): Markup {
  const list = table({
    caption: 'Recent changes',
    head: ['Case', 'Status', 'When'],
    rows: listed.cases.map(({ latest_update: update, ...row }) => [
      html`<a href="/console/cases/${row.user_case_id}">${row.description || row.user_case_id}</a><span class="under mono">${row.receipt_number}</span>`,
      update ? pill(categoryTone(update.category), update.status_code) : '',
      times.ago(update?.timestamp, '–'),
    ]),
    empty: emptyState({
      title: 'No changes yet',
      text: 'When USCIS shows a new status for a case, the change appears here.',
    }),
  });
  return section(
    'Recent changes',
    list,
    html`<a href="${href}">${moreText(listed, listed.cases.length) ?? 'Cases that changed'}</a>`,
  );
}
