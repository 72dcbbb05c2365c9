import { type Query, toPartnerTime } from '@casewatch/contracts';
import type { CursorScope, Handler } from '@casewatch/platform';
import { findUsers } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import type { CaseRow } from '../store/cases.ts';
import { partnerOf } from './callers.ts';
import { presentPartnerCase } from './present-case.ts';

/** GET /v1/client/cases: the cases of all of the partner's users, page by page. */
export function listPartnerCases(ctx: Context): Handler<'list_partner_cases'> {
  return async ({ principal, query }) => {
    const { partner_id } = partnerOf(principal);
    const filter = filterOf(query, partner_id);
    const scope: CursorScope = {
      operation: 'list_partner_cases',
      caller: `partner:${partner_id}`,
      filters: filter,
      sort: query.sort,
    };
    const order = orderOf(query.sort);
    const after = query.cursor === undefined ? null : ctx.cursors.decode(scope, query.cursor);
    const rows = await ctx.cases.findPage({ filter, ...order, after, limit: query.limit + 1 });

    const shown = rows.slice(0, query.limit);
    const last = rows.length > query.limit ? shown.at(-1) : undefined;
    const users = await findUsers(
      ctx.bus,
      shown.map((row) => row.user_id),
    );
    return {
      body: {
        cases: shown.flatMap((row) => {
          // A case without its user is about to be erased with them.
          const language = users.get(row.user_id)?.preferred_language;
          return language ? [presentPartnerCase(row, { language, time: toPartnerTime })] : [];
        }),
        has_more: last !== undefined,
        next_cursor: last ? ctx.cursors.encode(scope, positionOf(last, order.field)) : null,
      },
    };
  };
}

function filterOf(query: Query<'list_partner_cases'>, partner_id: number) {
  const { user_id, active, receipt_number, category, updated_since } = query;
  return { partner_id, user_id, active, receipt_number, category, updated_since };
}

function orderOf(sort: Query<'list_partner_cases'>['sort']) {
  const field = sort.endsWith('created_at') ? ('created_at' as const) : ('last_checked' as const);
  return { field, direction: sort.startsWith('-') ? (-1 as const) : (1 as const) };
}

function positionOf(row: CaseRow, field: 'created_at' | 'last_checked'): [string | null, number] {
  return [row[field]?.toISOString() ?? null, row._id];
}
