import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { secretSetting } from '../settings/config.ts';
import { asSecret } from '../settings/setting-rules.ts';

/**
 * The secrets of one setting. The first is used for everything new; the others still open and verify what was made with
 * them. So a secret is replaced without a moment in which anything is unreadable: put the new one in front, and drop
 * the old one when what it made has expired.
 */
export type KeyRing = readonly [string, ...string[]];

/** One secret, or several with spaces between them: the current one first. */
export const keyRingSetting = asSecret(
  z
    .string()
    .transform((text) => text.split(/\s+/).filter((secret) => secret !== ''))
    .pipe(z.tuple([secretSetting], secretSetting)),
);

/** A key of 32 bytes for one purpose (HKDF-SHA-256, RFC 5869): what is made for one is worth nothing for another. */
export function keyFor(purpose: string, secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

/** Names a derived key where what it made is stored: 48 bits of its hash, which tell nothing of it. */
export function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 8);
}

/** Message authentication codes, HMAC-SHA-256 cut to 128 bits. */
export type Mac = {
  sign(text: string): Buffer;
  /** In constant time for each key of the ring. */
  verify(text: string, mac: Uint8Array): boolean;
};

const macBytes = 16;

export function createMac(ring: KeyRing, purpose: string): Mac {
  const [current, ...former] = ring;
  const macWith = (key: Buffer) => (text: string) =>
    createHmac('sha256', key).update(text).digest().subarray(0, macBytes);
  const sign = macWith(keyFor(purpose, current));
  const all = [sign, ...former.map((secret) => macWith(keyFor(purpose, secret)))];
  return {
    sign,
    verify: (text, mac) =>
      mac.length === macBytes && all.some((signWith) => timingSafeEqual(signWith(text), mac)),
  };
}
