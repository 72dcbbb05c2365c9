import { findMatchingPepper, type Macs, type Pepper } from './macs.ts';

/** `sid.generation.HMAC`; which generation is good, the session knows. */
export function refreshTokenOf(sessionId: string, generation: number, pepper: Pepper): string {
  const mac = pepper.mac('refresh-token', `${sessionId}\0${generation}`);
  return `${sessionId}.${generation}.${mac.toString('base64url')}`;
}

/** Session and generation of a token that was made here; null for any other text. */
export function readRefreshToken(
  token: string,
  macs: Macs,
): { sessionId: string; generation: number } | null {
  const [sessionId, digits] = token.split('.');
  if (!sessionId || !digits || !/^\d{1,9}$/.test(digits)) return null;
  const generation = Number(digits);
  const isOurs = findMatchingPepper(macs, token, (pepper) => refreshTokenOf(sessionId, generation, pepper));
  return isOurs ? { sessionId, generation } : null;
}
