import { findMatchingPepper, type Macs, type Pepper } from './macs.ts';

export function refreshTokenOf(sessionId: string, generation: number, pepper: Pepper): string {
  const mac = pepper.mac('refresh-token', `${sessionId}\0${generation}`);
  return `${sessionId}.${generation}.${mac.toString('base64url')}`;
}

export function readRefreshToken(
  token: string,
  macs: Macs,
): { sessionId: string; generation: number } | null {
  const [sessionId, digits] = token.split('.');
  if (!sessionId || !digits || !/^\d{1,9}$/.test(digits)) return null;
  const generation = Number(digits);
  const pepper = findMatchingPepper(macs, token, (pepper) => refreshTokenOf(sessionId, generation, pepper));
  return pepper ? { sessionId, generation } : null;
}
