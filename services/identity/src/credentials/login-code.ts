import type { Macs } from './macs.ts';

/**
 * The six digits of a challenge. They follow from its id and the pepper, so nothing is stored in clear and a mail
 * can be made again after a crash. 48 bits modulo a million are uniform but for a part in 10^8.
 */
export function loginCodeOf(challengeId: string, macs: Macs): string {
  const number = macs.of('login-code', challengeId).readUIntBE(0, 6) % 1_000_000;
  return String(number).padStart(6, '0');
}
