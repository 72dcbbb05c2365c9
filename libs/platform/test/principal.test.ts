import { generateKeyPairSync } from 'node:crypto';
import { principalSigner, principalVerifier, privateJwk } from '@casewatch/platform';
import { afterEach, describe, expect, it, jest } from '@jest/globals';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = privateJwk.parse({ ...privateKey.export({ format: 'jwk' }), kid: 'test' });
const { d: _private, ...publicKey } = key;
const scopes: ['cases:read'] = ['cases:read'];
const caller = {
  principal: { kind: 'partner' as const, partner_id: 1, key_id: '2', scopes },
  address: '192.0.2.1',
};
const read = { method: 'GET', path: '/v1/client/cases' };
const write = { method: 'POST', path: '/v1/check' };

describe('a principal that a service has verified before', () => {
  const sign = principalSigner(key);
  afterEach(() => void jest.useRealTimers());

  it('is refused after its end, 60 s and 5 s of tolerance after it was signed', () => {
    jest.useFakeTimers({ now: 0 });
    const verify = principalVerifier({ keys: [publicKey] }, 'cases');
    const token = sign(caller, 'cases');
    expect(verify(token, read)).toEqual(caller);
    jest.setSystemTime(64_000);
    expect(verify(token, read)).toEqual(caller);
    jest.setSystemTime(65_000);
    expect(() => verify(token, read)).toThrow();
  });

  it('is good for no write, and the principal of a write for no other', () => {
    const verify = principalVerifier({ keys: [publicKey] }, 'cases');
    const token = sign(caller, 'cases');
    verify(token, read);
    expect(() => verify(token, write)).toThrow();
    const ofWrite = sign(caller, 'cases', write);
    expect(verify(ofWrite, write)).toEqual(caller);
    expect(() => verify(ofWrite, { ...write, path: '/v1/client/logo' })).toThrow();
  });

  it('is refused by a service that it is not for', () => {
    const token = sign(caller, 'cases');
    principalVerifier({ keys: [publicKey] }, 'cases')(token, read);
    expect(() => principalVerifier({ keys: [publicKey] }, 'webhooks')(token, read)).toThrow();
  });
});
