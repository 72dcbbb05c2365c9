import { describe, expect, it } from '@jest/globals';
import { isWellFormedKey, makeKeyPair, withChecksum } from '../../src/credentials/api-key.ts';

describe('partner keys', () => {
  it('have the documented form, and no two are the same', () => {
    const pairs = Array.from({ length: 200 }, makeKeyPair);
    for (const { api_key, api_secret } of pairs) {
      expect(api_key).toMatch(/^cwk_live_[0-9A-Za-z]{30}$/);
      expect(api_secret).toMatch(/^cws_live_[0-9A-Za-z]{49}$/);
      expect(isWellFormedKey(api_key)).toBe(true);
      expect(withChecksum(api_secret.slice(0, -6))).toBe(api_secret);
    }
    expect(new Set(pairs.flatMap((pair) => [pair.api_key, pair.api_secret])).size).toBe(400);
  });

  it('show every single wrong character', () => {
    const { api_key } = makeKeyPair();
    for (let i = 9; i < api_key.length; i++) {
      const typo = api_key.charAt(i) === 'x' ? 'y' : 'x';
      expect(isWellFormedKey(api_key.slice(0, i) + typo + api_key.slice(i + 1))).toBe(false);
    }
  });

  it('carry the CRC-32 in base62', () => {
    // CRC-32 (ISO-HDLC) of the single letter a, as every table has it.
    expect(withChecksum('a')).toBe(`a${base62(0xe8b7be43)}`);
  });
});

function base62(number: number): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return number === 0 ? '' : base62(Math.floor(number / 62)) + digits.charAt(number % 62);
}
