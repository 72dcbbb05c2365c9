import type { Caller, Query } from '@casewatch/contracts';
import { readPage } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { ListedCase } from '../store/case-pages.ts';

type ListQuery = Query<'list_cases'> & Pick<Query<'list_partner_cases'>, 'monitoring'>;

type Listing = {
  operation: 'list_cases' | 'list_partner_cases';
  caller: Caller;
  owner: { partner_id?: number; user_id: number | undefined };
  query: ListQuery;
};

/**
 * One page of a list of cases.
 * @throws ApiError invalid_cursor
 */
export async function findCases(ctx: Context, { operation, caller, owner, query }: Listing) {
  const { active, receipt_number, category, updated_since, monitoring, limit, sort, cursor } = query;
  const filter = { ...owner, active, receipt_number, category, updated_since, monitoring };
  const order = orderOf(sort);
  return await readPage<ListedCase>({
    cursors: ctx.cursors,
    scope: { operation, caller, filters: filter, sort },
    cursor,
    limit,
    read: (after, count) => ctx.stores.cases.findPage({ filter, ...order, after, limit: count }),
    positionOf: (row) => [row[order.field]?.toISOString() ?? null, row._id],
  });
}

function orderOf(sort: ListQuery['sort']) {
  const field = sort.endsWith('created_at') ? ('created_at' as const) : ('last_checked' as const);
  return { field, direction: sort.startsWith('-') ? (-1 as const) : (1 as const) };
}
