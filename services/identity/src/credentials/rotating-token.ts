import { findMatchingPepper, type Macs, type Pepper } from './macs.ts';

/** Tokens `<session id>.<generation>.<HMAC>`: each renewal raises the generation. The secret part is derived, so that no row has it. */
export function rotatingToken(purpose: Parameters<Pepper['mac']>[0]) {
  function tokenOf(sessionId: string, generation: number, pepper: Pepper): string {
    const mac = pepper.mac(purpose, `${sessionId}\0${generation}`);
    return `${sessionId}.${generation}.${mac.toString('base64url')}`;
  }

  return {
    tokenOf,
    /** Null if the token is forged. */
    read(token: string, macs: Macs): { sessionId: string; generation: number } | null {
      const [sessionId, digits] = token.split('.');
      if (!sessionId || !digits || !/^\d{1,9}$/.test(digits)) return null;
      const generation = Number(digits);
      const pepper = findMatchingPepper(macs, token, (pepper) => tokenOf(sessionId, generation, pepper));
      return pepper ? { sessionId, generation } : null;
    },
  };
}
