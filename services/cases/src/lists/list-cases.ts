import { type Caller, maxTotal, type Query, toIso, toPartnerTime } from '@casewatch/contracts';
import { type Handler, readPage } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentCase, presentListedCase } from '../present/case.ts';
import type { CaseFilter, CaseRow } from '../store/cases.ts';

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
    const { rows, page, filter } = await findCases(ctx, {
      operation: 'list_partner_cases',
      caller,
      owner,
      query,
    });
    const userIds = rows.map((row) => row.user_id);
    const [people, assignees, counted] = await Promise.all([
      ctx.identity.pageOfPeople(caller, userIds),
      ctx.identity.assigneesOf(partner_id, rows),
      ctx.stores.cases.countListed(filter, maxTotal + 1),
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
    return { body: { cases, ...page, total, total_is_exact } };
  };
}

type ListQuery = CaseFilter & Pick<Query<'list_partner_cases'>, 'limit' | 'sort' | 'cursor'>;

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
async function findCases(ctx: Context, { operation, caller, owner, query }: Listing) {
  const { limit, sort, cursor, ...filters } = query;
  const filter: CaseFilter = { ...filters, ...owner };
  const order = orderOf(sort);
  const listed = await readPage<CaseRow>({
    cursors: ctx.cursors,
    scope: { operation, caller, filters: filter, sort },
    cursor,
    limit,
    read: (after, count) => ctx.stores.cases.findPage({ filter, ...order, after, limit: count }),
    positionOf: (row) => [row[order.field]?.toISOString() ?? null, row._id],
  });
  return { ...listed, filter };
}

function orderOf(sort: ListQuery['sort']) {
  const field = sort.replace('-', '') as 'created_at' | 'last_checked' | 'changed_at';
  return { field, direction: sort.startsWith('-') ? (-1 as const) : (1 as const) };
}
