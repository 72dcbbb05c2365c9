import type { Caller, Success } from '@casewatch/contracts';
import { ApiError, readPage } from '@casewatch/platform';
import { findUser } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import { presentEmbeddedUser, presentMonitoring, presentPartnerCase } from '../present/case.ts';
import { presentStatusUpdate } from '../present/status-update.ts';
import type { TimeFormat } from '../present/view.ts';
import type { StatusUpdateRow } from '../store/status-updates.ts';
import { ownCase } from './own-case.ts';

/** How many StatusUpdates one answer shows; `updates_cursor` leads to the rest. */
const updatesShown = 100;

type Reading = {
  operation: 'get_case' | 'get_partner_case';
  caller: Caller;
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
  const { caller, ref, userId, time } = reading;
  const row = await ownCase(ctx, caller, { ref, userId });
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
    updates_cursor: updates.page.next_cursor,
    monitoring: presentMonitoring(row, time),
  };
}

/** Newest first. */
async function findUpdates(ctx: Context, caseId: number, { operation, caller, cursor }: Reading) {
  return await readPage<StatusUpdateRow>({
    cursors: ctx.cursors,
    scope: { operation, caller, filters: { case_id: caseId }, sort: '-observation' },
    cursor,
    parameter: 'updates_cursor',
    limit: updatesShown,
    read: (after, limit) => ctx.stores.statusUpdates.page(caseId, { after, limit }),
    positionOf: ({ observation, _id }) => [observation, _id],
  });
}
