import { isWithinRole, type Operation, type PartnerPrincipal, type Principal } from '@casewatch/contracts';
import { ApiError } from '../errors.ts';

/** Checks the kind of caller, and the scope of a key or the role of a member of staff. The handler checks who owns the object. */
export function authorise(row: Operation, principal: Principal): void {
  if (!row.who.includes(principal.kind)) {
    if (principal.kind === 'partner' && row.who.includes('user'))
      throw new ApiError('partner_keys_not_accepted');
    throw new ApiError('missing_credentials', { message: credentialsHint(row) });
  }
  if (principal.kind !== 'partner') return;
  if (principal.staff_id !== undefined) assertRole(row, principal);
  else if (row.scope !== null && !principal.scopes.includes(row.scope)) {
    throw new ApiError('insufficient_scope', {
      message: `This API key does not have the scope ${row.scope}.`,
    });
  }
}

/** Who calls an operation: a caller with credentials calls one for anonymous callers without them. */
export function callerOf(row: Operation, principal: Principal): Principal {
  return row.who.includes(principal.kind) ? principal : { kind: 'anonymous' };
}

/** A row without a role, or a member without one, permits nothing. */
function assertRole({ role: least }: Operation, { role }: PartnerPrincipal): void {
  if (least !== undefined && role !== undefined && isWithinRole(role, least)) return;
  throw new ApiError('insufficient_role', {
    message: `Your role${role === undefined ? '' : ` (${role})`} does not permit this; ask an owner of your organization.`,
  });
}

/** Longest time since the sign-in of a member for what is sensitive, seconds (firm.md §1). */
const recentSeconds = 15 * 60;

/** @throws ApiError reauthentication_required */
export function assertRecentSignIn(row: Operation, principal: Principal, now: Date): void {
  if (!row.isSensitive || principal.kind !== 'partner' || principal.staff_id === undefined) return;
  assertRecent(new Date((principal.signed_in_at ?? 0) * 1_000), now);
}

/** @throws ApiError reauthentication_required */
export function assertRecent(signedInAt: Date, now: Date): void {
  if (now.getTime() - signedInAt.getTime() > recentSeconds * 1_000)
    throw new ApiError('reauthentication_required');
}

export function credentialsHint({ who }: Operation): string {
  const kinds = [
    ...(who.includes('user') ? ['a bearer token'] : []),
    ...(who.includes('partner') ? ['X-API-KEY and X-API-SECRET'] : []),
  ];
  return `Send ${kinds.join(', or ')}.`;
}
