import { createPrivateKey } from 'node:crypto';
import type { JwksReply } from '@casewatch/contracts';
import type { PrivateJwk } from '@casewatch/platform';
import jwt from 'jsonwebtoken';

/** Lifetime of an access token, seconds (interface.md §4, Tokens). */
export const accessTokenSeconds = 900 as const;

const audience = 'casewatch';

type Claims = { userId: number; partnerId: number | null; sessionId: string; signedInAt: Date; now: Date };

export type AccessTokens = {
  sign(claims: Claims): string;
  /** The public side of every key, and who signs with them. */
  published(): JwksReply;
};

/** ES256 access tokens (RFC 9068's `at+jwt`); the first key signs, so that keys can rotate. */
export function createAccessTokens(keys: readonly PrivateJwk[], issuer: string): AccessTokens {
  const [signing] = keys;
  if (!signing) throw new Error('no key to sign with');
  const privateKey = createPrivateKey({ key: { ...signing }, format: 'jwk' });
  return {
    sign({ userId, partnerId, sessionId, signedInAt, now }) {
      const iat = seconds(now);
      const claims = {
        iss: issuer,
        aud: audience,
        sub: String(userId),
        sid: sessionId,
        ...(partnerId !== null && { pid: partnerId }),
        auth_time: seconds(signedInAt),
        iat,
        exp: iat + accessTokenSeconds,
      };
      const header = { alg: 'ES256', typ: 'at+jwt', kid: signing.kid };
      return jwt.sign(claims, privateKey, { algorithm: 'ES256', header });
    },
    published: () => ({
      issuer,
      audience,
      keys: keys.map(({ kty, crv, x, y, kid }) => ({ kty, crv, x, y, kid, use: 'sig', alg: 'ES256' })),
    }),
  };
}

/** Seconds since 1970, as JWTs have it (RFC 7519 §2, NumericDate). */
export function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
