import { findMatchingPepper, type Macs, type Pepper } from './macs.ts';

/** `<id>.<HMAC>`. The secret part is derived, so that no row has it. */
export function consoleLinkTokenOf(linkId: string, pepper: Pepper): string {
  return `${linkId}.${pepper.mac('console-link', linkId).toString('base64url')}`;
}

/** @returns the id of the link; null if the token is forged */
export function readConsoleLinkToken(token: string, macs: Macs): string | null {
  const [linkId = ''] = token.split('.');
  return findMatchingPepper(macs, token, (pepper) => consoleLinkTokenOf(linkId, pepper)) ? linkId : null;
}

export function consoleTokenOf(sessionId: string, generation: number, pepper: Pepper): string {
  const mac = pepper.mac('console-session', `${sessionId}\0${generation}`);
  return `${sessionId}.${generation}.${mac.toString('base64url')}`;
}

export function readConsoleToken(
  token: string,
  macs: Macs,
): { sessionId: string; generation: number } | null {
  const [sessionId, digits] = token.split('.');
  if (!sessionId || !digits || !/^\d{1,9}$/.test(digits)) return null;
  const generation = Number(digits);
  const pepper = findMatchingPepper(macs, token, (pepper) => consoleTokenOf(sessionId, generation, pepper));
  return pepper ? { sessionId, generation } : null;
}
