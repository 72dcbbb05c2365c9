import type { StatisticsPeriod, Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { bars } from '../../parts/bars.ts';
import { table } from '../../parts/table.ts';

type Counted = Exclude<keyof StatisticsPeriod, 'start'>;
type Row = { readonly name: string; readonly field: Counted; readonly failed?: Counted };

const rows: readonly Row[] = [
  { name: 'New users', field: 'users_created' },
  { name: 'New cases', field: 'cases_created' },
  { name: 'Changes', field: 'status_changes' },
  { name: 'Messages', field: 'notifications_sent', failed: 'notifications_failed' },
  { name: 'Deliveries', field: 'deliveries', failed: 'deliveries_failed' },
];

const wholeNumber = new Intl.NumberFormat('en');

/** What happened in 24 hours and in 30 days, as numbers and small charts. */
export function statisticsTable({ hours, days }: Success<'get_statistics'>): Markup {
  return table({
    caption: 'Activity',
    head: ['Kind', '24 hours', '30 days'],
    rows: rows.map((row) => [
      row.name,
      cell(row, hours, { span: '24 hours', unit: 'hour' }),
      cell(row, days, { span: '30 days', unit: 'day' }),
    ]),
    empty: html``,
  });
}

type Words = { readonly span: string; readonly unit: string };

function cell({ name, field, failed }: Row, periods: readonly StatisticsPeriod[], words: Words): Markup {
  const counts = periods.map((period) => period[field]);
  const total = sum(counts);
  const failures = failed ? sum(periods.map((period) => period[failed])) : 0;
  const label = `${name} in ${words.span}: ${total}, at most ${Math.max(...counts, 0)} in one ${words.unit}.`;
  return html`<div class="count"><b>${wholeNumber.format(total)}</b>${bars(counts, label)}${failures > 0 && html`<span class="under fault">${wholeNumber.format(failures)} failed</span>`}</div>`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
