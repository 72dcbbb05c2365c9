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
import { type Clock, systemClock } from '../../timing/clock.ts';

/** Header of the signed principal. The gateway removes it from outside requests. */
export const principalHeader = 'x-casewatch-principal';

const issuer = 'casewatch-gateway';
/** An explicit type keeps other tokens from being accepted (RFC 8725 §3.11). */
const type = 'casewatch-principal+jwt';
const lifetimeSeconds = 60;

/** How much the clocks of the gateway and the service may differ, in either direction, ms. */
const maxSkewMs = 30_000;
const maxCached = 10_000;

const claims = z.object({
  /** Seconds, from the clock of the gateway (RFC 7519 §4.1). */
  iat: z.number(),
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

export function principalSigner(key: PrivateJwk, clock: Clock = systemClock): PrincipalSigner {
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  return (caller, audience, write) =>
    jwt.sign(
      {
        ...claimsOfCaller(caller),
        ...(write && { htm: write.method, htp: write.path }),
        iat: Math.floor(clock.now().getTime() / 1_000),
      },
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

/** Why a principal is not acceptable: a closed set of words, because the text of a token must not reach a log. */
export type PrincipalFault =
  | 'expired'
  | 'not_valid_yet'
  | 'unknown_key'
  | 'invalid_signature'
  | 'not_a_principal'
  | 'another_call';

type VerifierOptions = {
  clock?: Clock;
  /** Called before each refusal of a principal that is present. */
  onFault?: (fault: PrincipalFault) => void;
};

/**
 * Verifies principals with the keys of the gateway; during a rotation there are several.
 *
 * Only the gateway makes principals, and it passes on none from outside. So a request without a principal is refused as the
 * caller's fault. A principal that is there and not acceptable is ours: a clock that differs, a rotated key, a wrong address.
 * @throws ApiError missing_credentials without a principal; service_unavailable with one that is not acceptable
 */
export function principalVerifier(
  jwks: PublicJwks,
  audience: ServiceName,
  { clock = systemClock, onFault = () => undefined }: VerifierOptions = {},
): PrincipalVerifier {
  const keys = new Map<string, KeyObject>(
    jwks.keys.map((key) => [key.kid, createPublicKey({ key: { ...key }, format: 'jwk' })]),
  );
  // The gateway sends the same principal with each read of 30 s.
  const verified = new Map<string, z.output<typeof claims>>();

  function claimsOf(token: string): z.output<typeof claims> {
    const cached = verified.get(token);
    if (cached) return cached;
    const current = verify(token, keys, audience);
    if (current.htm !== undefined) return current;
    if (verified.size >= maxCached) verified.clear();
    verified.set(token, current);
    return current;
  }

  function accept(token: string, call: { method: string; path: string }): SignedCaller {
    const { prin, addr, act, htm, htp, iat, exp } = claimsOf(token);
    // Also of one that was verified before: the clock of this process may have moved either way.
    const nowMs = clock.now().getTime();
    if (nowMs >= exp * 1_000 + maxSkewMs) throw new PrincipalError('expired');
    if (nowMs < iat * 1_000 - maxSkewMs) throw new PrincipalError('not_valid_yet');
    const isWrite = call.method !== 'GET' && call.method !== 'HEAD';
    if (isWrite && (htm !== call.method || htp !== call.path)) throw new PrincipalError('another_call');
    const principal = act && prin.kind === 'partner' ? { ...prin, console: act } : prin;
    return { principal, address: addr };
  }

  return (token, call) => {
    if (!token) throw new ApiError('missing_credentials', { detail: 'no principal' });
    try {
      return accept(token, call);
    } catch (error) {
      if (!(error instanceof PrincipalError)) throw error;
      onFault(error.fault);
      throw new ApiError('service_unavailable', { detail: `the principal is refused: ${error.fault}` });
    }
  };
}

class PrincipalError extends Error {
  override readonly name = 'PrincipalError';
  readonly fault: PrincipalFault;
  constructor(fault: PrincipalFault) {
    super(fault);
    this.fault = fault;
  }
}

/** Signature, issuer and audience; the times are compared at each call. @throws PrincipalError */
function verify(token: string, keys: Map<string, KeyObject>, audience: ServiceName) {
  const header = headerOf(token);
  if (header?.typ !== type) throw new PrincipalError('not_a_principal');
  const key = keys.get(header.kid ?? '');
  if (!key) throw new PrincipalError('unknown_key');
  const { data } = claims.safeParse(payloadOf(token, key, audience));
  if (!data) throw new PrincipalError('not_a_principal');
  return data;
}

function payloadOf(token: string, key: KeyObject, audience: ServiceName): unknown {
  try {
    return jwt.verify(token, key, { algorithms: ['ES256'], issuer, audience, ignoreExpiration: true });
  } catch {
    // A signature of the wrong length makes an error of another class.
    throw new PrincipalError('invalid_signature');
  }
}

/** `jwt.decode` throws if a part is not JSON, with that part in the message. */
function headerOf(token: string): jwt.JwtHeader | undefined {
  try {
    return jwt.decode(token, { complete: true })?.header;
  } catch {
    return undefined;
  }
}
