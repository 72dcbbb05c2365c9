import type { Caller, Query } from '@casewatch/contracts';
import { readPage } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { ListedCase } from '../store/case-pages.ts';

type PartnerQuery = Query<'list_partner_cases'>;
type ListQuery = Omit<Query<'list_cases'>, 'sort'> &
  Pick<PartnerQuery, 'sort'> &
  Partial<Pick<PartnerQuery, 'monitoring' | 'changed_since'>>;

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
  const { active, receipt_number, category, updated_since, changed_since, monitoring } = query;
  const { limit, sort, cursor } = query;
  const filter = { ...owner, active, receipt_number, category, updated_since, changed_since, monitoring };
  const order = orderOf(sort);
  const listed = await readPage<ListedCase>({
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
