import type { Caller } from '@casewatch/contracts';
import { ApiError, type Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { idOfCaseRef } from '../domain/case-id.ts';
import type { CaseRow } from '../store/cases.ts';

type Named = { ref: string; userId?: number | undefined; session?: Session };

/**
 * The case that a path names, where it is the caller's and that user's.
 * @throws ApiError case_not_found, also for anybody else's case
 */
export async function ownCase(ctx: Context, caller: Caller, named: Named): Promise<CaseRow> {
  const { ref, userId, session = null } = named;
  const id = idOfCaseRef(ref);
  const row = id === null ? null : await ctx.stores.cases.find(id, session);
  const isNamed = row !== null && (userId === undefined || row.user_id === userId);
  if (!isNamed || !isOwner(caller, row)) throw new ApiError('case_not_found');
  return row;
}

/** Whether a case is the caller's: a user's own, or of one of the partner's users. */
function isOwner(caller: Caller, row: Pick<CaseRow, 'user_id' | 'partner_id'>): boolean {
  if (caller.kind === 'user') return caller.user_id === row.user_id;
  return caller.partner_id === row.partner_id;
}
