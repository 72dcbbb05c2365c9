import type { Caller } from '@casewatch/contracts';
import { ApiError, acted } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { idOfCaseRef } from '../rules/case.ts';
import type { CaseRow } from '../store/cases.ts';

type CasePath = { ref: string; userId?: number | undefined; session?: Session };

/**
 * The case that a path names, if the caller may see it.
 * @throws ApiError case_not_found, also for a case of another owner
 */
export async function ownCase(ctx: Context, caller: Caller, path: CasePath): Promise<CaseRow> {
  const { ref, userId, session = null } = path;
  const id = idOfCaseRef(ref);
  const row = id === null ? null : await ctx.stores.cases.find(id, session);
  const isOfPath = row !== null && (userId === undefined || row.user_id === userId);
  if (!isOfPath || !isOwner(caller, row)) throw new ApiError('case_not_found');
  // A read is recorded with the id of the case; in a transaction, the change says itself that it has an effect.
  if (session === null) acted('case', row._id);
  return row;
}

function isOwner(caller: Caller, row: Pick<CaseRow, 'user_id' | 'partner_id'>): boolean {
  if (caller.kind === 'user') return caller.user_id === row.user_id;
  return caller.partner_id === row.partner_id;
}
