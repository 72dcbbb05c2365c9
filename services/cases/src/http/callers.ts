import type { PartnerPrincipal, Principal } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { idOfCaseRef } from '../domain/case-id.ts';
import type { CaseRow } from '../store/cases.ts';

/** The partner that calls; the operation table lets in nobody else. */
export function partnerOf(principal: Principal): PartnerPrincipal {
  if (principal.kind !== 'partner') throw new ApiError('missing_credentials');
  return principal;
}

/** Whether a case is the caller's: a user's own, or of one of the partner's users. */
export function isOwner(principal: Principal, row: Pick<CaseRow, 'user_id' | 'partner_id'>): boolean {
  if (principal.kind === 'user') return principal.user_id === row.user_id;
  return principal.kind === 'partner' && principal.partner_id === row.partner_id;
}

/**
 * The id that a path's `case_ref` names.
 * @throws ApiError case_not_found where no case can be called so
 */
export function caseIdOf(ref: string): number {
  const id = idOfCaseRef(ref);
  if (id === null) throw new ApiError('case_not_found');
  return id;
}
