import type { Operation, Principal } from '@casewatch/contracts';
import { ApiError } from '../errors.ts';

/** Checks the kind of caller and the scope. The handler checks who owns the object. */
export function authorise(row: Operation, principal: Principal): void {
  if (!row.who.includes(principal.kind)) {
    if (principal.kind === 'partner' && row.who.includes('user'))
      throw new ApiError('partner_keys_not_accepted');
    throw new ApiError('missing_credentials', { message: credentialsHint(row) });
  }
  if (principal.kind === 'partner' && row.scope !== null && !principal.scopes.includes(row.scope)) {
    throw new ApiError('insufficient_scope', {
      message: `This API key does not have the scope ${row.scope}.`,
    });
  }
}

/** Who calls an operation: a caller with credentials calls one for anonymous callers without them. */
export function callerOf(row: Operation, principal: Principal): Principal {
  return row.who.includes(principal.kind) ? principal : { kind: 'anonymous' };
}

export function credentialsHint({ who }: Operation): string {
  const kinds = [
    ...(who.includes('user') ? ['a bearer token'] : []),
    ...(who.includes('partner') ? ['X-API-KEY and X-API-SECRET'] : []),
  ];
  return `Send ${kinds.join(', or ')}.`;
}
