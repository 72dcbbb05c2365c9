import type { Principal, Success } from '@casewatch/contracts';
import { ApiError, type CursorScope } from '@casewatch/platform';
import { findUser } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import type { StatusUpdateRow } from '../store/status-updates.ts';
import { callerName, ownCase } from './callers.ts';
import { presentEmbeddedUser, presentMonitoring, presentPartnerCase } from './present-case.ts';
import { presentStatusUpdate } from './present-status-update.ts';
import type { TimeFormat } from './view.ts';

/** How many StatusUpdates one answer shows; `updates_cursor` leads to the rest. */
const updatesShown = 100;

type Reading = {
  operation: 'get_case' | 'get_partner_case';
  principal: Principal;
  ref: string;
  /** The user in the path, where there is one. */
  userId?: number;
  cursor: string | undefined;
  time: TimeFormat;
};

/**
 * One case with its user, its updates newest first, and how its watching fares.
 * @throws ApiError case_not_found, invalid_cursor
 */
export async function readCase(ctx: Context, reading: Reading): Promise<Success<'get_case'>> {
  const { principal, ref, userId, time } = reading;
  const row = await ownCase(ctx, principal, { ref, userId });
  const [user, updates] = await Promise.all([
    findUser(ctx.bus, row.user_id),
    findUpdates(ctx, row._id, reading),
  ]);
  if (user === null) throw new ApiError('case_not_found');

  const view = { language: user.preferred_language, time };
  return {
    case: { ...presentPartnerCase(row, view), user: presentEmbeddedUser(user) },
    status_updates: updates.rows.map((update) => presentStatusUpdate(update, view)),
    update_count: row.update_count,
    updates_cursor: updates.cursor,
    monitoring: presentMonitoring(row, time),
  };
}

async function findUpdates(
  ctx: Context,
  caseId: number,
  { operation, principal, cursor }: Reading,
): Promise<{ rows: StatusUpdateRow[]; cursor: string | null }> {
  const scope: CursorScope = {
    operation,
    caller: callerName(principal),
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
