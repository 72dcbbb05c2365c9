import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isSame } from './macs.ts';

export type KeyPair = { readonly api_key: string; readonly api_secret: string };

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumLength = 6;

// 24 characters name the key, 6 are their checksum.
const keyPattern = /^cwk_live_[0-9A-Za-z]{30}$/;

/** `cwk_live_` + 24 + 6 and `cws_live_` + 43 (256 bits) + 6 characters of base62. */
export function makeKeyPair(): KeyPair {
  return {
    api_key: withChecksum(`cwk_live_${randomText(24)}`),
    api_secret: withChecksum(`cws_live_${randomText(43)}`),
  };
}

/** Checks form and checksum: a typing mistake is refused without a query (interface.md §4). */
export function isWellFormedKey(apiKey: string): boolean {
  if (!keyPattern.test(apiKey)) return false;
  return isSame(withChecksum(apiKey.slice(0, -checksumLength)), apiKey);
}

export function secretSha256(apiSecret: string): string {
  return createHash('sha256').update(apiSecret).digest('hex');
}

/** Appends the CRC-32 in base62, 6 characters, most significant first. */
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
