import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, type KeyRing, keyId } from '@casewatch/platform';

/** What a keyed hash is good for; one made for another purpose never matches. */
type Purpose =
  | 'verify-email'
  | 'undo-email-change'
  | 'confirm-email-change'
  | 'login-code'
  | 'refresh-token'
  | 'rate-limit'
  | 'caller-address'
  | 'sign-in-place'
  | 'sign-in-email'
  | 'address-in-logs';

/** Keyed hashes over one pepper: what the store holds is worthless without it. */
export type Pepper = {
  /** By which rows name the pepper that made what they hold; it tells nothing of it. */
  readonly id: string;
  of(purpose: Purpose, text: string): Buffer;
  /** The stored form of a partner key's secret: HMAC-SHA-256(pepper, hex SHA-256 of the secret), hex. */
  ofSecretHash(secretSha256: string): string;
};

/** Those of the current pepper, which makes everything new, and `ring`: of each one that still opens, the current first. */
export type Macs = Pepper & { readonly ring: readonly Pepper[] };

/** @param secrets the operator's, ≥ 32 characters each (SECRET_PEPPER) */
export function createMacs(secrets: KeyRing): Macs {
  const [first, ...others] = secrets;
  const current = createPepper(first);
  return { ...current, ring: [current, ...others.map(createPepper)] };
}

function createPepper(pepper: string): Pepper {
  const hmac = (text: string) => createHmac('sha256', pepper).update(text);
  return {
    id: keyId(deriveKey('id of the pepper', pepper)),
    // NUL keeps purposes apart: it occurs neither in a purpose nor in hex, so no two inputs are the same.
    of: (purpose, text) => hmac(`${purpose}\0${text}`).digest(),
    ofSecretHash: (secretSha256) => hmac(secretSha256).digest('hex'),
  };
}

/**
 * The pepper that a row names. A row from before that was noted names none: then it is the current one. Undefined where it
 * is not in the ring (any more).
 */
export function pepperNamed(macs: Macs, id: string | undefined): Pepper | undefined {
  return id === undefined ? macs : macs.ring.find((pepper) => pepper.id === id);
}

/** The pepper of the ring with which `make` gives this text; each is tried, whichever it is. */
export function pepperThatMade(
  macs: Macs,
  text: string,
  make: (pepper: Pepper) => string,
): Pepper | undefined {
  return macs.ring.filter((pepper) => isSame(make(pepper), text))[0];
}

/** Compares in constant time; texts of different length are just different. */
export function isSame(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
