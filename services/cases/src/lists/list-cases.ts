import {
  type Caller,
  maxFound,
  maxTotal,
  type PartnerPrincipal,
  type Query,
  toIso,
  toPartnerTime,
} from '@casewatch/contracts';
import { type Handler, readPage } from '@casewatch/platform';
import type { Found } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { presentCase, presentListedCase } from '../present/case.ts';
import { type CaseFilter, type CaseRow, timeIndex } from '../store/cases.ts';

/** GET /v1/users/{user_id}/cases */
export function listCases(ctx: Context): Handler<'list_cases'> {
  return async ({ caller, params, query }) => {
    const { user_id } = params;
    const user = await ctx.identity.fetchUserOf(caller, user_id, ['preferred_language']);
    const listing = { operation: 'list_cases', caller, owner: { user_id }, query } as const;
    const { rows, page } = await findCases(ctx, listing);
    const view = { language: user.preferred_language, time: toIso, now: ctx.clock.now() };
    return { body: { cases: rows.map((row) => presentCase(row, view)), ...page } };
  };
}

/** GET /v1/client/cases */
export function listPartnerCases(ctx: Context): Handler<'list_partner_cases'> {
  return async ({ caller, query }) => {
    const { partner_id } = caller;
    const owner = { partner_id, user_id: query.user_id };
    const search = query.q === undefined ? null : await findByText(ctx, caller, query.q);
    const listing = { operation: 'list_partner_cases', caller, owner, query } as const;
    const { rows, page, filter, counted: before } = await findCases(ctx, listing, search?.ids);
    const userIds = rows.map((row) => row.user_id);
    const [people, assignees, counted] = await Promise.all([
      ctx.identity.pageOfPeople(caller, userIds),
      ctx.identity.assigneesOf(partner_id, rows),
      search ? countFound(query, search) : (before ?? ctx.stores.cases.countListed(filter, maxTotal + 1)),
    ]);
    // The case of a deleted user is about to be erased: the page is shorter by it.
    const view = { time: toPartnerTime, now: ctx.clock.now() };
    const cases = rows.flatMap((row) => {
      const person = people.of(row.user_id);
      if (!person) return [];
      const shown = { assignee: assignees.of(row), user: person.user };
      return [presentListedCase(row, shown, { ...view, language: person.language })];
    });
    const total = counted === null ? null : Math.min(counted, maxTotal);
    const total_is_exact = counted !== null && counted <= maxTotal;
    return { body: { cases, ...page, total, total_is_exact, type_more: search?.more ?? false } };
  };
}

/**
 * Cases that a text finds by their own words, or by those of their users. At most 200 of either: more letters find the others.
 * @throws ApiError service_unavailable if identity does not answer: without the people, cases would be missing
 */
export async function findByText(ctx: Context, caller: PartnerPrincipal, q: string): Promise<Found> {
  const { cases } = ctx.stores;
  const [own, people] = await Promise.all([
    cases.search(caller.partner_id, q, maxFound),
    ctx.identity.findPeople(caller, q),
  ]);
  const ofPeople = await cases.ofUsers(people.user_ids, maxFound);
  const ids = [...new Set([...own.ids, ...ofPeople.ids])];
  const more = own.more || people.more || ofPeople.more || ids.length > maxFound;
  return { ids: ids.slice(0, maxFound), more };
}

/** Null where other filters hold too: their cases were not counted. */
function countFound({ limit, sort, cursor, q, ...filters }: ListQuery, { ids, more }: Found): number | null {
  const isAlone = Object.values(filters).every((value) => value === undefined);
  return isAlone && !more ? ids.length : null;
}

type ListQuery = Omit<CaseFilter, 'ids'> &
  Pick<Query<'list_partner_cases'>, 'limit' | 'sort' | 'cursor'> & { q?: string | undefined };

type Listing = {
  operation: 'list_cases' | 'list_partner_cases';
  caller: Caller;
  owner: CaseFilter;
  query: ListQuery;
};

/**
 * One page of a list of cases.
 * @throws ApiError invalid_cursor
 */
async function findCases(
  ctx: Context,
  { operation, caller, owner, query }: Listing,
  ids?: readonly number[],
) {
  const { limit, sort, cursor, q, ...filters } = query;
  const filter: CaseFilter = { ...filters, ...owner, ids };
  const order = orderOf(sort);
  const { cases } = ctx.stores;
  const counted = timeIndex(filter, order.field) ? await cases.countListed(filter, maxTotal + 1) : null;
  const listed = await readPage<CaseRow>({
    cursors: ctx.cursors,
    // Not the ids: a case that is found meanwhile makes no cursor invalid.
    scope: { operation, caller, filters: { ...filters, ...owner, q }, sort },
    cursor,
    limit,
    read: (after, limit) => cases.findPage({ filter, ...order, after, limit, counted }),
    positionOf: (row) => [keyOf(row[order.field]), row._id],
  });
  return { ...listed, filter, counted };
}

/** A day is text already. */
function keyOf(value: Date | string | null): string | null {
  return value instanceof Date ? value.toISOString() : value;
}

function orderOf(sort: ListQuery['sort']) {
  if (sort === 'respond_by') return { field: 'due_on', direction: 1 } as const;
  const field = sort.replace('-', '') as 'created_at' | 'last_checked' | 'changed_at';
  return { field, direction: sort.startsWith('-') ? (-1 as const) : (1 as const) };
}
