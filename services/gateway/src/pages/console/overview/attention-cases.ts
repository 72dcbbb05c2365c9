import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { pill } from '../../parts/pill.ts';
import { monitoringPill } from '../states.ts';

/** `state`: what is wrong. */
export type Item = { readonly what: Markup; readonly state: Markup };

type Cases = Success<'list_partner_cases'>['cases'];

/** Cases that changed lately, and cases that cannot be checked as planned. */
export type AttentionCases = {
  readonly changed: Cases;
  readonly overdue: Cases;
  readonly rejected: Cases;
  readonly notFound: Cases;
};

const shownCases = 3;
const urgent = new Set(['denied', 'evidence', 'rejected']);

/** The first cases of each kind; the list of cases has the rest. */
export function caseItems({ changed, overdue, rejected, notFound }: AttentionCases): Item[] {
  const answered = changed.flatMap((row) => {
    const { latest_update: update, active } = row;
    if (!update || !active || !urgent.has(update.category)) return [];
    return [itemOf(row, pill(update.category === 'denied' ? 'bad' : 'warn', update.status_code))];
  });
  const inState = (cases: Cases, state: 'overdue' | 'rejected' | 'not_found') => [
    ...cases.slice(0, shownCases).map((row) => itemOf(row, monitoringPill(state))),
    ...(cases.length > shownCases
      ? [
          {
            what: html`<a href="/console/cases?monitoring=${state}">More cases</a>`,
            state: monitoringPill(state),
          },
        ]
      : []),
  ];
  return [
    ...answered.slice(0, shownCases),
    ...inState(rejected, 'rejected'),
    ...inState(overdue, 'overdue'),
    ...inState(notFound, 'not_found'),
  ];
}

function itemOf(row: Cases[number], state: Item['state']): Item {
  return {
    what: html`<a href="/console/cases/${row.user_case_id}">${row.description || row.user_case_id}</a> <span class="quiet mono">${row.receipt_number}</span>`,
    state,
  };
}
