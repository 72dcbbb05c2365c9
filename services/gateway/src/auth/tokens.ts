import { hash } from 'node:crypto';
import type { UserPrincipal } from '@casewatch/contracts';
import { ApiError, type Bus, type Clock } from '@casewatch/platform';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { CredentialCache, Verified } from './credential-cache.ts';
import type { TokenKey, TokenKeys } from './token-keys.ts';

export type Tokens = {
  /** @throws ApiError invalid_token, token_expired, token_revoked, account_suspended */
  verify(token: string, beforeAsking: () => void): UserPrincipal | Promise<UserPrincipal>;
};

const claims = z.object({
  sub: z.string().regex(/^[1-9]\d{0,15}$/),
  sid: z.string().min(1).max(64),
  exp: z.int(),
});

type Options = { bus: Bus; clock: Clock; keys: TokenKeys; cache: CredentialCache<UserPrincipal> };

/** The gateway verifies the signature; identity says whether the session is still valid. */
export function createTokens({ bus, clock, keys, cache }: Options): Tokens {
  return {
    verify(token, beforeAsking) {
      const id = hash('sha256', token, 'base64url');
      return cache.get(id, beforeAsking, async () => {
        const key = await keys.find(keyIdOf(token));
        return await askSession(bus, verifySignature(token, key, clock.now()));
      });
    },
  };
}

/** The header can name a key only by id; jku, x5u and jwk are ignored (RFC 8725 §3.10). */
function keyIdOf(token: string): string {
  const header = decoded(token)?.header;
  if (header?.alg !== 'ES256' || header.typ !== 'at+jwt' || typeof header.kid !== 'string' || !header.kid) {
    throw new ApiError('invalid_token');
  }
  return header.kid;
}

/** `jwt.decode` throws if a part is not JSON. */
function decoded(token: string): jwt.Jwt | null {
  try {
    return jwt.decode(token, { complete: true });
  } catch (error) {
    throw new ApiError('invalid_token', { cause: error, detail: 'unreadable' });
  }
}

function verifySignature(
  token: string,
  { key, issuer, audience }: TokenKey,
  now: Date,
): z.output<typeof claims> {
  const clockTimestamp = Math.floor(now.getTime() / 1_000);
  const expected = { algorithms: ['ES256' as const], issuer, audience, clockTimestamp, clockTolerance: 5 };
  try {
    return claims.parse(jwt.verify(token, key, expected));
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) throw new ApiError('token_expired');
    throw new ApiError('invalid_token', { detail: error instanceof Error ? error.message : 'unreadable' });
  }
}

async function askSession(
  bus: Bus,
  { sid, sub, exp }: z.output<typeof claims>,
): Promise<Verified<UserPrincipal>> {
  const request = { session_id: sid, user_id: Number(sub) };
  const { good_until, ...session } = await bus.request('identity.session', request);
  return {
    value: { kind: 'user', ...session, session_id: sid },
    goodUntil: Math.min(exp * 1_000, Date.parse(good_until)),
    revokedBy: [
      { kind: 'session', id: sid },
      { kind: 'user', id: sub },
    ],
  };
}
