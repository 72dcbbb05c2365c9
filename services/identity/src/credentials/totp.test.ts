import { describe, expect, it } from '@jest/globals';
import { newRecoveryCodes, recoveryMac } from './recovery-codes.ts';
import { newTotpKey, totpStep, totpUri } from './totp.ts';

/** The secret of RFC 6238, Appendix B: `12345678901234567890` in base32. */
const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1_000);

describe('a code of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
  ])('is that of RFC 6238 at %i s, one step early and late, and no longer', (seconds, code) => {
    const step = Math.floor(seconds / 30);
    for (const later of [-30, 0, 30]) expect(totpStep(key, code, at(seconds + later))).toBe(step);
    for (const later of [-60, 60]) expect(totpStep(key, code, at(seconds + later))).toBeNull();
  });

  it.each(['', '28708', '2870820', '28708x', 'abcdef'])('is not %j', (code) => {
    expect(totpStep(key, code, at(59))).toBeNull();
  });

  it('has a key of 160 bits, each time another, in an address that apps open', () => {
    const [one, two] = [newTotpKey(), newTotpKey()];
    expect([one.length, one === two]).toEqual([32, false]);
    const uri = new URL(totpUri(one, { issuer: 'Casewatch', account: 'Smith & Co: ana@example.com' }));
    expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(uri.pathname)).toBe('/Casewatch:Smith & Co: ana@example.com');
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      issuer: 'Casewatch',
      secret: one,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

describe('recovery codes', () => {
  it('are ten, none twice, and stored as what depends on the member’s key', () => {
    const codes = newRecoveryCodes();
    expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
    const [code = ''] = codes;
    expect(recoveryMac(key, code)).not.toBe(recoveryMac(newTotpKey(), code));
    expect(recoveryMac(key, code)).not.toContain(code.slice(0, 5));
  });

  it.each(['01abc-defgh', '01ABC DEFGH', 'oLabcdefgh', ' 0iabc - defgh '])('are the same as %j', (typed) => {
    expect(recoveryMac(key, typed)).toBe(recoveryMac(key, '01abc-defgh'));
  });
});
