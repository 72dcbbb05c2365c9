import type { Operation, Principal } from '@casewatch/contracts';
import { ApiError, credentialsHint } from '@casewatch/platform';
import type { Request } from 'express';
import { readCredentials } from './credentials.ts';
import type { PartnerKeys } from './partner-keys.ts';
import type { Revocations } from './revocations.ts';
import type { Tokens } from './tokens.ts';

/** `beforeAsking` may throw; it runs before identity is asked about credentials that are not in the cache. */
export type Authenticator = (
  req: Request,
  row: Operation,
  address: string,
  beforeAsking: () => void,
) => Promise<Principal>;

const anonymous: Principal = { kind: 'anonymous' };

type Options = { keys: PartnerKeys; tokens: Tokens; revocations: Revocations };

/** Order and combinations of credentials: interface.md §1, Callers. A user with partner keys must be a user of that partner. */
export function createAuthenticator({ keys: partnerKeys, tokens, revocations }: Options): Authenticator {
  return async (req, row, address, beforeAsking) => {
    if (row.who.every((kind) => kind === 'anonymous')) return anonymous;
    const { keys, token } = readCredentials(req);
    if (keys || token) await revocations.ensureCurrent();
    const verifyKeys = () => (keys === null ? null : partnerKeys.verify(keys, address, beforeAsking));
    const verifyToken = () => (token === null ? null : tokens.verify(token, beforeAsking));
    const [partner, user] =
      keys && token
        ? await Promise.all([verifyKeys(), verifyToken()])
        : [await verifyKeys(), await verifyToken()];
    if (partner && user && user.partner_id !== partner.partner_id)
      throw new ApiError('conflicting_credentials');
    const principal = user ?? partner ?? anonymous;
    if (principal.kind === 'anonymous' && !row.who.includes('anonymous')) {
      throw new ApiError('missing_credentials', { message: credentialsHint(row) });
    }
    return principal;
  };
}
