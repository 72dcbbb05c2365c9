import { toPartnerTime } from '@casewatch/contracts';
import { ApiError, type CursorScope, type Handler } from '@casewatch/platform';
import { findUser } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import type { StatusUpdateRow } from '../store/status-updates.ts';
import { caseIdOf, isOwner } from './callers.ts';
import { presentEmbeddedUser, presentMonitoring, presentPartnerCase } from './present-case.ts';
import { presentStatusUpdate } from './present-status-update.ts';

/** How many StatusUpdates one answer shows; `updates_cursor` leads to the rest. */
const updatesShown = 100;

/** GET /v1/client/cases/{case_ref}: the case with its user, its updates newest first, and how its watching fares. */
export function getPartnerCase(ctx: Context): Handler<'get_partner_case'> {
  return async ({ principal, params, query }) => {
    const row = await ctx.cases.find(caseIdOf(params.case_ref));
    if (row === null || !isOwner(principal, row)) throw new ApiError('case_not_found');
    const [user, updates] = await Promise.all([
      findUser(ctx.bus, row.user_id),
      findUpdates(ctx, row, query.updates_cursor),
    ]);
    if (user === null) throw new ApiError('case_not_found');

    const view = { language: user.preferred_language, time: toPartnerTime };
    return {
      body: {
        case: { ...presentPartnerCase(row, view), user: presentEmbeddedUser(user) },
        status_updates: updates.rows.map((update) => presentStatusUpdate(update, view)),
        update_count: row.update_count,
        updates_cursor: updates.cursor,
        monitoring: presentMonitoring(row, toPartnerTime),
      },
    };
  };
}

async function findUpdates(
  ctx: Context,
  { _id: caseId, partner_id }: { _id: number; partner_id: number | null },
  cursor: string | undefined,
): Promise<{ rows: StatusUpdateRow[]; cursor: string | null }> {
  const scope: CursorScope = {
    operation: 'get_partner_case',
    caller: `partner:${partner_id}`,
    filters: { case_id: caseId },
    sort: '-observation',
  };
  const position = cursor === undefined ? null : ctx.cursors.decode(scope, cursor, 'updates_cursor');
  const after = position && { observation: Number(position[0]), id: position[1] };
  const rows = await ctx.statusUpdates.page(caseId, { after, limit: updatesShown + 1 });
  const last = rows.length > updatesShown ? rows[updatesShown - 1] : undefined;
  return {
    rows: rows.slice(0, updatesShown),
    cursor: last ? ctx.cursors.encode(scope, [last.observation, last._id]) : null,
  };
}
