import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { isNoChange } from '../../parts/history.ts';
import { emptyState, table } from '../../parts/table.ts';
import { told } from '../cases/told.ts';
import type { ConsoleCall } from '../console-page.ts';

type Case = Success<'list_partner_cases'>['cases'][number];

/** Cases whose messages are read: those that changed last. */
const readCases = 10;
const shownChanges = 10;

/** What a user was told of the newest changes, by which channel and when. `cases`: of this user. */
export async function userMessages(call: ConsoleCall, cases: readonly Case[]): Promise<Markup> {
  const changed = cases
    .flatMap((row) => (row.latest_update ? [{ row, at: row.latest_update.timestamp }] : []))
    .toSorted(newestFirst)
    .slice(0, readCases);
  const changes = await Promise.all(changed.map(({ row }) => changesOf(call, row)));
  const newest = changes.flat().toSorted(newestFirst).slice(0, shownChanges);
  return table({
    caption: 'Messages',
    head: ['Case', 'Status', 'Who was told', 'Changed'],
    rows: newest.map(({ row, update, at }) => [
      html`<a href="/console/cases/${row.user_case_id}">${row.description || row.user_case_id}</a>`,
      update.status_code,
      told(call, update),
      call.times.ago(at),
    ]),
    empty: emptyState({
      title: 'No messages yet',
      text: 'The first status of a case sends no message. Each change after it does.',
    }),
  });
}

async function changesOf({ ask }: ConsoleCall, row: Case) {
  const params = { case_ref: row.user_case_id };
  const { status_updates } = await ask('get_partner_case', { params, query: {} });
  return status_updates
    .filter((update) => update.kind !== 'baseline' && !isNoChange(update))
    .map((update) => ({ row, update, at: update.timestamp }));
}

function newestFirst(one: { at: string }, other: { at: string }): number {
  return other.at.localeCompare(one.at);
}
