import { generateKeyPairSync } from 'node:crypto';
import {
  type ApiError,
  type PrincipalFault,
  principalSigner,
  principalVerifier,
  privateJwk,
} from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import jwt from 'jsonwebtoken';

function newKey(kid = 'test') {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateJwk.parse({ ...privateKey.export({ format: 'jwk' }), kid });
  const { d: _private, ...publicKey } = key;
  return { key, publicKey, privateKey };
}

const { key, publicKey, privateKey } = newKey();
const scopes: ['cases:read'] = ['cases:read'];
const caller = {
  principal: { kind: 'partner' as const, partner_id: 1, key_id: '2', scopes },
  address: '192.0.2.1',
};
const read = { method: 'GET', path: '/v1/client/cases' };
const write = { method: 'POST', path: '/v1/check' };
/** A whole second, as `iat` is one. */
const signedAtMs = 1_795_000_000_000;

/** A gateway and a service, each with a clock that the test sets, ms. */
function twoClocks(keys = [publicKey]) {
  const clocks = { gateway: signedAtMs, service: signedAtMs };
  const faults: PrincipalFault[] = [];
  const sign = principalSigner(key, { now: () => new Date(clocks.gateway) });
  const verify = principalVerifier({ keys }, 'cases', {
    clock: { now: () => new Date(clocks.service) },
    onFault: (fault) => void faults.push(fault),
  });
  return { clocks, faults, sign, verify };
}

function refusalOf(work: () => unknown): ApiError {
  try {
    work();
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('the principal was accepted');
}

describe('a principal', () => {
  it.each([
    ['the same time', 0],
    ['20 s ahead', 20_000],
    ['20 s behind', -20_000],
    ['30 s behind', -30_000],
    ['its whole life and 30 s ahead, less 1 ms', 89_999],
  ])('is accepted by a service whose clock shows %s', (_name, skewMs) => {
    const { clocks, faults, sign, verify } = twoClocks();
    const token = sign(caller, 'cases');
    clocks.service += skewMs;
    expect(verify(token, read)).toEqual(caller);
    expect(faults).toEqual([]);
  });

  it.each<[string, number, PrincipalFault]>([
    ['90 s ahead', 90_000, 'expired'],
    ['an hour ahead', 3_600_000, 'expired'],
    ['90 s behind', -90_000, 'not_valid_yet'],
    ['30 s and 1 ms behind', -30_001, 'not_valid_yet'],
    ['an hour behind', -3_600_000, 'not_valid_yet'],
  ])('is our fault at a service whose clock is %s', (_name, skewMs, fault) => {
    const { clocks, faults, sign, verify } = twoClocks();
    clocks.service += skewMs;
    expect(refusalOf(() => verify(sign(caller, 'cases'), read))).toMatchObject({
      code: 'service_unavailable',
      status: 503,
      retryAfterS: 5,
    });
    expect(faults).toEqual([fault]);
  });

  it.each([90_000, -90_000])('is our fault if the clock of the gateway is off by %i ms', (skewMs) => {
    const { clocks, sign, verify } = twoClocks();
    clocks.gateway += skewMs;
    expect(refusalOf(() => verify(sign(caller, 'cases'), read)).status).toBe(503);
  });

  it('expires by a clock that was behind, at the latest after twice the skew and its life', () => {
    const { clocks, sign, verify } = twoClocks();
    const token = sign(caller, 'cases');
    clocks.service -= 30_000;
    expect(verify(token, read)).toEqual(caller);
    clocks.service += 120_000;
    expect(refusalOf(() => verify(token, read)).status).toBe(503);
  });

  it('that was verified before is compared with the clock again, which may have moved either way', () => {
    const { clocks, faults, sign, verify } = twoClocks();
    const token = sign(caller, 'cases');
    verify(token, read);
    for (const skewMs of [89_999, -30_000, 0]) {
      clocks.service = signedAtMs + skewMs;
      expect(verify(token, read)).toEqual(caller);
    }
    for (const skewMs of [90_000, -30_001]) {
      clocks.service = signedAtMs + skewMs;
      expect(refusalOf(() => verify(token, read)).status).toBe(503);
    }
    expect(faults).toEqual(['expired', 'not_valid_yet']);
  });

  it('of a read is good for no write, and the principal of a write for no other', () => {
    const { sign, verify } = twoClocks();
    const token = sign(caller, 'cases');
    verify(token, read);
    expect(refusalOf(() => verify(token, write)).status).toBe(503);
    const ofWrite = sign(caller, 'cases', write);
    expect(verify(ofWrite, write)).toEqual(caller);
    expect(refusalOf(() => verify(ofWrite, { ...write, path: '/v1/client/logo' })).status).toBe(503);
  });

  it('that is missing is the fault of the caller', () => {
    const { faults, verify } = twoClocks();
    for (const token of [undefined, '']) {
      expect(refusalOf(() => verify(token, read))).toMatchObject({
        code: 'missing_credentials',
        status: 401,
      });
    }
    expect(faults).toEqual([]);
  });

  const claims = { prin: caller.principal, addr: caller.address, iat: signedAtMs / 1_000 };
  const other = newKey();
  const tokenWith = (options: jwt.SignOptions, of: object = claims, by = privateKey) =>
    jwt.sign(of, by, {
      algorithm: 'ES256',
      issuer: 'casewatch-gateway',
      audience: 'cases',
      expiresIn: 60,
      ...options,
      header: { alg: 'ES256', typ: 'casewatch-principal+jwt', kid: 'test', ...options.header },
    });
  const good = tokenWith({});
  const cut = good.split('.');

  it('as the next cases make it is accepted', () => {
    expect(twoClocks().verify(good, read)).toEqual(caller);
  });

  it.each<[string, string, PrincipalFault]>([
    [
      'of a key that the service does not know',
      principalSigner(newKey('next').key)(caller, 'cases'),
      'unknown_key',
    ],
    ['of another key with a known id', tokenWith({}, claims, other.privateKey), 'invalid_signature'],
    ['with the signature of another length', `${cut[0]}.${cut[1]}.AAAA`, 'invalid_signature'],
    ['without a signature', `${cut[0]}.${cut[1]}.`, 'invalid_signature'],
    ['for another service', tokenWith({ audience: 'webhooks' }), 'invalid_signature'],
    ['of another issuer', tokenWith({ issuer: 'casewatch-identity' }), 'invalid_signature'],
    ['of another type', tokenWith({ header: { alg: 'ES256', typ: 'at+jwt' } }), 'not_a_principal'],
    ['without a caller', tokenWith({}, { addr: '192.0.2.1', iat: claims.iat }), 'not_a_principal'],
    ['that is one word', 'forged', 'not_a_principal'],
    ['whose parts are no JSON', 'maria@example.org.b.c', 'not_a_principal'],
    ['whose payload is no JSON', `${cut[0]}.bWFyaWE.${cut[2]}`, 'invalid_signature'],
  ])('%s is our fault, and its text is not in the error', (_name, token, fault) => {
    const { faults, verify } = twoClocks();
    const error = refusalOf(() => verify(token, read));
    expect([error.code, error.status, error.retryAfterS]).toEqual(['service_unavailable', 503, 5]);
    expect(faults).toEqual([fault]);
    expect(error.options).toEqual({ detail: `the principal is refused: ${fault}` });
    expect(error.cause).toBeUndefined();
  });

  it('of either key is accepted while both are known', () => {
    const next = newKey('next');
    const { verify } = twoClocks([publicKey, next.publicKey]);
    const clock = { now: () => new Date(signedAtMs) };
    for (const signing of [key, next.key]) {
      expect(verify(principalSigner(signing, clock)(caller, 'cases'), read)).toEqual(caller);
    }
  });
});
