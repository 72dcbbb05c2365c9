import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type Principal, principal as principalSchema, type ServiceName } from '@casewatch/contracts';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { ApiError } from '../../errors.ts';
import type { PrivateJwk, PublicJwks } from '../../settings/config.ts';

/** The header that carries the signed principal; the gateway strips it from whatever comes from outside. */
export const principalHeader = 'x-casewatch-principal';

const issuer = 'casewatch-gateway';
/** Said explicitly, so that no other token can pass for one (RFC 8725 §3.11). */
const type = 'casewatch-principal+jwt';
const lifetimeSeconds = 60;

const claims = z.object({
  prin: principalSchema,
  addr: z.string(),
  /** Method and path, on writes: a captured principal cannot be turned to another write. */
  htm: z.string().optional(),
  htp: z.string().optional(),
});

/** Who calls, and from which network address. */
export type SignedCaller = { readonly principal: Principal; readonly address: string };

export type PrincipalSigner = (
  caller: SignedCaller,
  audience: ServiceName,
  write?: { method: string; path: string },
) => string;

/** Signs principals for the services behind the gateway (ES256, 60 s). */
export function principalSigner(key: PrivateJwk): PrincipalSigner {
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  return (caller, audience, write) =>
    jwt.sign(
      { prin: caller.principal, addr: caller.address, ...(write && { htm: write.method, htp: write.path }) },
      privateKey,
      {
        algorithm: 'ES256',
        header: { alg: 'ES256', typ: type, kid: key.kid },
        issuer,
        audience,
        expiresIn: lifetimeSeconds,
      },
    );
}

export type PrincipalVerifier = (
  token: string | undefined,
  call: { method: string; path: string },
) => SignedCaller;

/**
 * Verifies what the gateway signed for this service. Several keys may be live while they rotate.
 * @throws ApiError missing_credentials: nobody reaches a service but through the gateway
 */
export function principalVerifier(jwks: PublicJwks, audience: ServiceName): PrincipalVerifier {
  const keys = new Map<string, KeyObject>(
    jwks.keys.map((key) => [key.kid, createPublicKey({ key: { ...key }, format: 'jwk' })]),
  );
  return (token, call) => {
    const { prin, addr, htm, htp } = verified(token, keys, audience);
    const isWrite = call.method !== 'GET' && call.method !== 'HEAD';
    if (isWrite && (htm !== call.method || htp !== call.path)) throw refused('principal of another call');
    return { principal: prin, address: addr };
  };
}

function verified(token: string | undefined, keys: Map<string, KeyObject>, audience: ServiceName) {
  if (!token) throw refused('no principal');
  try {
    const header = jwt.decode(token, { complete: true })?.header;
    if (header?.typ !== type) throw refused('not a principal');
    const key = keys.get(header.kid ?? '');
    if (!key) throw refused('unknown key');
    return claims.parse(
      jwt.verify(token, key, { algorithms: ['ES256'], issuer, audience, clockTolerance: 5 }),
    );
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw refused(error instanceof Error ? error.message : 'unreadable principal');
  }
}

function refused(detail: string): ApiError {
  return new ApiError('missing_credentials', { detail });
}
