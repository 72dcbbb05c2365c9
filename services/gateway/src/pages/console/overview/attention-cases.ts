import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { pill } from '../../parts/pill.ts';
import { monitoringPill } from '../states.ts';

/** `state`: what is wrong. */
export type Item = { readonly what: Markup; readonly state: Markup };

type Listed = Success<'list_partner_cases'>;
/** The first cases of a list, and how many it has. Null: the session may not see cases. */
export type Counted = Pick<Listed, 'cases' | 'total' | 'total_is_exact' | 'has_more'> | null;
type Row = Listed['cases'][number];

/** Cases whose status asks for an answer or ends them, and cases that cannot be checked as planned. */
export type AttentionCases = Readonly<Record<'urgent' | 'overdue' | 'rejected' | 'notFound', Counted>>;

export const shownCases = 3;

/** The first cases of each kind, and a link to the others with their number. `urgentHref`: the list of the first kind. */
export function caseItems(
  { urgent, overdue, rejected, notFound }: AttentionCases,
  urgentHref: string,
): Item[] {
  const inState = (listed: Counted, state: 'overdue' | 'rejected' | 'not_found') =>
    itemsOf(listed, { href: `/console/cases?monitoring=${state}`, pillOf: () => monitoringPill(state) });
  return [
    ...itemsOf(urgent, { href: urgentHref, pillOf: urgentPill }),
    ...inState(rejected, 'rejected'),
    ...inState(overdue, 'overdue'),
    ...inState(notFound, 'not_found'),
  ];
}

function urgentPill(row: Row | null): Markup {
  const update = row?.latest_update;
  if (!update) return pill('warn', 'Denied, evidence or rejected');
  return pill(update.category === 'denied' ? 'bad' : 'warn', update.status_code);
}

type Kind = { readonly href: string; pillOf(row: Row | null): Markup };

function itemsOf(listed: Counted, { href, pillOf }: Kind): Item[] {
  if (!listed) return [];
  const items = listed.cases.slice(0, shownCases).map((row) => ({
    what: html`<a href="/console/cases/${row.user_case_id}">${row.description || row.user_case_id}</a> <span class="quiet mono">${row.receipt_number}</span>`,
    state: pillOf(row),
  }));
  const more = moreText(listed, items.length);
  return more === null
    ? items
    : [...items, { what: html`<a href="${href}">${more}</a>`, state: pillOf(null) }];
}

const wholeNumber = new Intl.NumberFormat('en');

/** How many cases of a list are not shown, in words; null: none. */
export function moreText({ total, total_is_exact, has_more, cases }: NonNullable<Counted>, shown: number) {
  if (total === null) return has_more || cases.length > shown ? 'More cases' : null;
  const rest = total - shown;
  if (rest <= 0) return null;
  return `${total_is_exact ? '' : 'More than '}${wholeNumber.format(rest)} more`;
}
