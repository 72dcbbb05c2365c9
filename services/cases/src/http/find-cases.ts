import type { Query } from '@casewatch/contracts';
import type { CursorScope } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { CaseRow } from '../store/cases.ts';

type ListQuery = Query<'list_cases'>;

type Listing = {
  operation: 'list_cases' | 'list_partner_cases';
  /** Whom the cursor is good for. */
  caller: string;
  /** Whose cases: a partner's, one user's, or both. */
  owner: { partner_id?: number; user_id: number | undefined };
  query: ListQuery;
};

type Found = { rows: CaseRow[]; page: { has_more: boolean; next_cursor: string | null } };

/**
 * One page of a list of cases, with what every list says about the next one.
 * @throws ApiError invalid_cursor
 */
export async function findCases(ctx: Context, { operation, caller, owner, query }: Listing): Promise<Found> {
  const { active, receipt_number, category, updated_since, limit, sort, cursor } = query;
  const filter = { ...owner, active, receipt_number, category, updated_since };
  const scope: CursorScope = { operation, caller, filters: filter, sort };
  const order = orderOf(sort);
  const after = cursor === undefined ? null : ctx.cursors.decode(scope, cursor);
  const rows = await ctx.cases.findPage({ filter, ...order, after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next_cursor = last ? ctx.cursors.encode(scope, positionOf(last, order.field)) : null;
  return { rows: shown, page: { has_more: last !== undefined, next_cursor } };
}

function orderOf(sort: ListQuery['sort']) {
  const field = sort.endsWith('created_at') ? ('created_at' as const) : ('last_checked' as const);
  return { field, direction: sort.startsWith('-') ? (-1 as const) : (1 as const) };
}

function positionOf(row: CaseRow, field: 'created_at' | 'last_checked'): [string | null, number] {
  return [row[field]?.toISOString() ?? null, row._id];
}
