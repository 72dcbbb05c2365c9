import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, type KeyRing, keyId } from '@casewatch/platform';

/** The use of a keyed hash. A hash of one purpose never matches another purpose. */
type Purpose =
  | 'verify-email'
  | 'undo-email-change'
  | 'confirm-email-change'
  | 'staff-invitation'
  | 'confirm-reply-to'
  | 'open-account'
  | 'login-code'
  | 'staff-code'
  | 'staff-session'
  | 'staff-calendar'
  | 'staff-sign-in-step'
  | 'console-link'
  | 'console-session'
  | 'refresh-token'
  | 'rate-limit'
  | 'caller-address'
  | 'sign-in-place'
  | 'sign-in-email'
  | 'address-in-logs'
  | 'reminder-id';

export type Pepper = {
  /** Stored in rows as `pepper_id`; it reveals nothing about the pepper. */
  readonly id: string;
  mac(purpose: Purpose, text: string): Buffer;
  /** The stored form of an API secret: HMAC-SHA-256(pepper, hex SHA-256 of the secret), hex. */
  hashSecret(secretSha256: string): string;
};

/** The current pepper, and all peppers that are still accepted, the current one first. */
export type Macs = Pepper & { readonly ring: readonly Pepper[] };

export function createMacs(secrets: KeyRing): Macs {
  const [first, ...older] = secrets;
  const current = createPepper(first);
  return { ...current, ring: [current, ...older.map(createPepper)] };
}

function createPepper(pepper: string): Pepper {
  const hmac = (text: string) => createHmac('sha256', pepper).update(text);
  return {
    id: keyId(deriveKey('id of the pepper', pepper)),
    // NUL separates purposes: neither a purpose nor a hex hash contains it.
    mac: (purpose, text) => hmac(`${purpose}\0${text}`).digest(),
    hashSecret: (secretSha256) => hmac(secretSha256).digest('hex'),
  };
}

/** The pepper of a row's `pepper_id`. */
export function findPepper(macs: Macs, id: string): Pepper | undefined {
  return macs.ring.find((pepper) => pepper.id === id);
}

/** The pepper with which `derive` gives this text. It tries every pepper, for constant time. */
export function findMatchingPepper(
  macs: Macs,
  text: string,
  derive: (pepper: Pepper) => string,
): Pepper | undefined {
  return macs.ring.filter((pepper) => isSame(derive(pepper), text))[0];
}

export function isSame(a: string, b: string): boolean {
  const aBytes = Buffer.from(a);
  const bBytes = Buffer.from(b);
  return aBytes.length === bBytes.length && timingSafeEqual(aBytes, bBytes);
}
