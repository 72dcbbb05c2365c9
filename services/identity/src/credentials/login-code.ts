import { findPepper, type Macs } from './macs.ts';

type Challenge = { readonly _id: string; readonly pepper_id: string; readonly purpose?: 'staff' };

/**
 * The six digits of a challenge, derived from its id, so no code is stored. 48 bits modulo a million are uniform except for
 * a part in 10^8. Null if the challenge's pepper is not in the ring.
 */
export function loginCodeOf(challenge: Challenge, macs: Macs): string | null {
  const pepper = findPepper(macs, challenge.pepper_id);
  if (!pepper) return null;
  const number =
    pepper.mac(challenge.purpose === 'staff' ? 'staff-code' : 'login-code', challenge._id).readUIntBE(0, 6) %
    1_000_000;
  return String(number).padStart(6, '0');
}
