import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import {
  consoleActor,
  type Principal,
  principal as principalSchema,
  type ServiceName,
} from '@casewatch/contracts';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { ApiError } from '../../errors.ts';
import type { PrivateJwk, PublicJwks } from '../../settings/config.ts';

/** Header of the signed principal. The gateway removes it from outside requests. */
export const principalHeader = 'x-casewatch-principal';

const issuer = 'casewatch-gateway';
/** An explicit type keeps other tokens from being accepted (RFC 8725 §3.11). */
const type = 'casewatch-principal+jwt';
const lifetimeSeconds = 60;

/** Seconds that the clocks of two machines may differ. */
const clockTolerance = 5;
const maxCached = 10_000;

const claims = z.object({
  exp: z.number(),
  prin: principalSchema,
  addr: z.string(),
  /** The person of a console session (RFC 8693 §4.1 names the actor `act`). */
  act: consoleActor.optional(),
  /** Method and path of a write, so that a captured principal is useless for another write. */
  htm: z.string().optional(),
  htp: z.string().optional(),
});

export type SignedCaller = { readonly principal: Principal; readonly address: string };

export type PrincipalSigner = (
  caller: SignedCaller,
  audience: ServiceName,
  write?: { method: string; path: string },
) => string;

export function principalSigner(key: PrivateJwk): PrincipalSigner {
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  return (caller, audience, write) =>
    jwt.sign(
      { ...claimsOfCaller(caller), ...(write && { htm: write.method, htp: write.path }) },
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

function claimsOfCaller({ principal, address }: SignedCaller) {
  if (principal.kind !== 'partner' || !principal.console) return { prin: principal, addr: address };
  const { console: act, ...prin } = principal;
  return { prin, addr: address, act };
}

export type PrincipalVerifier = (
  token: string | undefined,
  call: { method: string; path: string },
) => SignedCaller;

/** During a rotation there are several keys. @throws ApiError missing_credentials */
export function principalVerifier(jwks: PublicJwks, audience: ServiceName): PrincipalVerifier {
  const keys = new Map<string, KeyObject>(
    jwks.keys.map((key) => [key.kid, createPublicKey({ key: { ...key }, format: 'jwk' })]),
  );
  // The gateway sends the same principal with each read of 30 s.
  const verified = new Map<string, z.output<typeof claims>>();

  function claimsOf(token: string | undefined): z.output<typeof claims> {
    const cached = verified.get(token ?? '');
    if (cached && cached.exp + clockTolerance > Date.now() / 1_000) return cached;
    const current = verify(token, keys, audience);
    if (token === undefined || current.htm !== undefined) return current;
    if (verified.size >= maxCached) verified.clear();
    verified.set(token, current);
    return current;
  }

  return (token, call) => {
    const { prin, addr, act, htm, htp } = claimsOf(token);
    const isWrite = call.method !== 'GET' && call.method !== 'HEAD';
    if (isWrite && (htm !== call.method || htp !== call.path)) throw refusal('principal of another call');
    const principal = act && prin.kind === 'partner' ? { ...prin, console: act } : prin;
    return { principal, address: addr };
  };
}

function verify(token: string | undefined, keys: Map<string, KeyObject>, audience: ServiceName) {
  if (!token) throw refusal('no principal');
  try {
    const header = jwt.decode(token, { complete: true })?.header;
    if (header?.typ !== type) throw refusal('not a principal');
    const key = keys.get(header.kid ?? '');
    if (!key) throw refusal('unknown key');
    return claims.parse(jwt.verify(token, key, { algorithms: ['ES256'], issuer, audience, clockTolerance }));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw refusal(error instanceof Error ? error.message : 'unreadable principal');
  }
}

function refusal(detail: string): ApiError {
  return new ApiError('missing_credentials', { detail });
}
