import { createHmac, randomBytes } from 'node:crypto';
import { deriveKey } from '@casewatch/platform';

// Recovery codes replace a code of the authenticator app, each once. They are stored as HMACs whose key comes from the member's own
// sealed key: so they outlive a rotation of the pepper, which could not compute them again.

/** Without i, l, o and u, which are read as others (Crockford's base32). */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';
/** 50 bits. */
const length = 10;
const count = 10;

/** `4f7k2-m9pxq` */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const code = [...randomBytes(length)].map((byte) => letters[byte % letters.length]).join('');
    return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
  });
}

/** The stored form of a code of one member, however it was typed. `factorKey`: the key of the member's second factor. */
export function recoveryMac(factorKey: string, code: string): string {
  return createHmac('sha256', deriveKey('recovery codes', factorKey))
    .update(asWritten(code))
    .digest('base64url');
}

function asWritten(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
}
