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
export function createAuthenticator({ keys, tokens, revocations }: Options): Authenticator {
  return async (req, row, address, beforeAsking) => {
    if (row.who.every((kind) => kind === 'anonymous')) return anonymous;
    const credentials = readCredentials(req);
    if (credentials.keys || credentials.token) await revocations.ensureCurrent();
    const [partner, user] = await Promise.all([
      credentials.keys ? keys.verify(credentials.keys, address, beforeAsking) : null,
      credentials.token ? tokens.verify(credentials.token, beforeAsking) : null,
    ]);
    if (partner && user && user.partner_id !== partner.partner_id)
      throw new ApiError('conflicting_credentials');
    const principal = user ?? partner ?? anonymous;
    if (principal.kind === 'anonymous' && !row.who.includes('anonymous')) {
      throw new ApiError('missing_credentials', { message: credentialsHint(row) });
    }
    return principal;
  };
}
