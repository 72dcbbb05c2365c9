import { createPrivateKey } from 'node:crypto';
import type { JwksReply } from '@casewatch/contracts';
import jwt from 'jsonwebtoken';
import { isPublished, type SigningKey, signingAt } from '../domain/signing-key.ts';

/** Lifetime of an access token, seconds (interface.md §4, Tokens). */
export const accessTokenSeconds = 900 as const;

const audience = 'casewatch';

type Claims = { userId: number; partnerId: number | null; sessionId: string; signedInAt: Date; now: Date };

/** ES256 access tokens (RFC 9068, `at+jwt`). */
export function createAccessTokens(keys: () => readonly SigningKey[], issuer: string) {
  return {
    sign({ userId, partnerId, sessionId, signedInAt, now }: Claims): string {
      const key = signingAt(keys(), now);
      if (key?.d == null) throw new Error('no key to sign with');
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
      const { kid, x, y, d } = key;
      const privateKey = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d }, format: 'jwk' });
      const header = { alg: 'ES256', typ: 'at+jwt', kid };
      return jwt.sign(claims, privateKey, { algorithm: 'ES256', header });
    },
    published: (all: readonly SigningKey[], now: Date): JwksReply => ({
      issuer,
      audience,
      keys: all
        .filter((key) => isPublished(key, now))
        .map(({ x, y, kid }) => ({ kty: 'EC', crv: 'P-256', x, y, kid, use: 'sig', alg: 'ES256' })),
    }),
  };
}

/** Seconds since 1970 (RFC 7519 §2, NumericDate). */
export function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
