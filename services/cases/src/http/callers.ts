import type { PartnerPrincipal, Principal } from '@casewatch/contracts';
import { ApiError, type Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { idOfCaseRef } from '../domain/case-id.ts';
import type { CaseRow } from '../store/cases.ts';

/** The partner that calls; the operation table lets in nobody else. */
export function partnerOf(principal: Principal): PartnerPrincipal {
  if (principal.kind !== 'partner') throw new ApiError('missing_credentials');
  return principal;
}

/** The caller's name in cursors: they are good for nobody else. */
export function callerName(principal: Principal): string {
  if (principal.kind === 'user') return `user:${principal.user_id}`;
  return `partner:${partnerOf(principal).partner_id}`;
}

type Named = { ref: string; userId?: number | undefined; session?: Session };

/**
 * The case that a path names, where it is the caller's and that user's.
 * @throws ApiError case_not_found, also for anybody else's case
 */
export async function ownCase(ctx: Context, principal: Principal, named: Named): Promise<CaseRow> {
  const { ref, userId, session = null } = named;
  const id = idOfCaseRef(ref);
  const row = id === null ? null : await ctx.cases.find(id, session);
  const isNamed = row !== null && (userId === undefined || row.user_id === userId);
  if (!isNamed || !isOwner(principal, row)) throw new ApiError('case_not_found');
  return row;
}

/** Whether a case is the caller's: a user's own, or of one of the partner's users. */
function isOwner(principal: Principal, row: Pick<CaseRow, 'user_id' | 'partner_id'>): boolean {
  if (principal.kind === 'user') return principal.user_id === row.user_id;
  return principal.kind === 'partner' && principal.partner_id === row.partner_id;
}
