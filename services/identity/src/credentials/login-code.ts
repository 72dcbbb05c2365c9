import { findPepper, type Macs } from './macs.ts';

/** The stored row that a code is of. */
type Subject = { readonly _id: string; readonly pepper_id?: string };

/**
 * The six digits of a challenge. They follow from its id and the pepper that it names, so nothing is stored in clear, a mail
 * can be made again after a crash, and one code alone is right. 48 bits modulo a million are uniform but for a part in 10^8.
 * Null where that pepper is not in the ring.
 */
export function loginCodeOf(challenge: Subject, macs: Macs): string | null {
  const pepper = findPepper(macs, challenge.pepper_id);
  if (!pepper) return null;
  const number = pepper.mac('login-code', challenge._id).readUIntBE(0, 6) % 1_000_000;
  return String(number).padStart(6, '0');
}
