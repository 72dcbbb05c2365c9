import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isSame } from './macs.ts';

/** Both halves of a partner's key pair, as the partner sends them. */
export type KeyPair = { readonly api_key: string; readonly api_secret: string };

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumLength = 6;

// Public half: 24 characters name the key, 6 are their checksum.
const keyPattern = /^cwk_live_[0-9A-Za-z]{30}$/;

/** A new pair: `cwk_live_` + 24 + 6 and `cws_live_` + 43 (256 bits) + 6 characters of base62. */
export function makeKeyPair(): KeyPair {
  return {
    api_key: withChecksum(`cwk_live_${randomText(24)}`),
    api_secret: withChecksum(`cws_live_${randomText(43)}`),
  };
}

/** Whether a key is one that could have been made here; a typo is refused without a look-up (interface.md §4). */
export function isWellFormedKey(apiKey: string): boolean {
  if (!keyPattern.test(apiKey)) return false;
  return isSame(withChecksum(apiKey.slice(0, -checksumLength)), apiKey);
}

/** The form in which a secret travels and from which its stored form is made. */
export function secretSha256(apiSecret: string): string {
  return createHash('sha256').update(apiSecret).digest('hex');
}

/** The text and its CRC-32 in base62, 6 characters, most significant first. */
export function withChecksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return text + digits;
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(62))).join('');
}
