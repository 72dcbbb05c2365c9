import {
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { z } from 'zod';
import { secretSetting } from '../settings/config.ts';
import { asSecret } from '../settings/setting-rules.ts';

/** The first secret is for new data; the others still open and verify old data, until it has expired. */
export type KeyRing = readonly [string, ...string[]];

export const keyRingSetting = asSecret(
  z
    .string()
    .transform((text) => text.split(/\s+/).filter((secret) => secret !== ''))
    .pipe(z.tuple([secretSetting], secretSetting)),
);

/** A key of 32 bytes for one purpose (HKDF-SHA-256, RFC 5869). */
export function deriveKey(purpose: string, secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

/** A stored name of a derived key: 48 bits of its hash. */
export function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 8);
}

/** Message authentication codes: HMAC-SHA-256, cut to 128 bits. */
export type Mac = {
  sign(text: string): Buffer;
  verify(text: string, mac: Uint8Array): boolean;
};

const macBytes = 16;

export function createMac(ring: KeyRing, purpose: string): Mac {
  // With a Buffer as its key an HMAC takes five times as long.
  const keyOf = (secret: string) => createSecretKey(deriveKey(purpose, secret));
  const keys = ring.map(keyOf);
  const signWith = (key: KeyObject, text: string) =>
    createHmac('sha256', key).update(text).digest().subarray(0, macBytes);
  const current = keyOf(ring[0]);
  return {
    sign: (text) => signWith(current, text),
    verify: (text, mac) =>
      mac.length === macBytes && keys.some((key) => timingSafeEqual(signWith(key, text), mac)),
  };
}
