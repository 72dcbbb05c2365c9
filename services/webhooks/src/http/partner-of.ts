import type { Principal } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';

/** The partner that calls; the operation table lets nobody else in. */
export function partnerOf(principal: Principal): number {
  if (principal.kind !== 'partner') throw new ApiError('missing_credentials');
  return principal.partner_id;
}
