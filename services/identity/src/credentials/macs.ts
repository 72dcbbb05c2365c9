import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a keyed hash is good for; one made for another purpose never matches. */
type Purpose =
  | 'verify-email'
  | 'undo-email-change'
  | 'login-code'
  | 'refresh-token'
  | 'rate-limit'
  | 'caller-address'
  | 'sign-in-place'
  | 'sign-in-email';

/** Keyed hashes over the pepper: what the store holds is worthless without it. */
export type Macs = {
  of(purpose: Purpose, text: string): Buffer;
  /** The stored form of a partner key's secret: HMAC-SHA-256(pepper, hex SHA-256 of the secret), hex. */
  ofSecretHash(secretSha256: string): string;
};

/** @param pepper the operator's secret, ≥ 32 characters (SECRET_PEPPER) */
export function createMacs(pepper: string): Macs {
  const hmac = (text: string) => createHmac('sha256', pepper).update(text);
  return {
    // NUL keeps purposes apart: it occurs neither in a purpose nor in hex, so no two inputs are the same.
    of: (purpose, text) => hmac(`${purpose}\0${text}`).digest(),
    ofSecretHash: (secretSha256) => hmac(secretSha256).digest('hex'),
  };
}

/** Compares in constant time; texts of different length are just different. */
export function isSame(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
