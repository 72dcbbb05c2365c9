import { createHmac, hkdfSync } from 'node:crypto';
import type { PrivateJwk } from '../../settings/config.ts';
import { networkOf } from './network-of.ts';

/**
 * Names a caller's network in logs without its address: the first 64 bits of an HMAC, as hex. The same network has the same
 * name at every gateway until the key changes. @param key the gateway's own signing key, from which the hash's key is derived
 */
export function networkHasher(key: PrivateJwk): (address: string) => string {
  const hmacKey = Buffer.from(hkdfSync('sha256', Buffer.from(key.d, 'base64url'), '', 'network in logs', 32));
  return (address) => createHmac('sha256', hmacKey).update(networkOf(address)).digest('hex').slice(0, 16);
}
