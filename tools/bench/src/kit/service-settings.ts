import { generateKeyPairSync } from 'node:crypto';
import { privateJwk } from '@casewatch/platform';

/** Settings of every service that a bench starts for itself. */
export const localSettings = { NODE_ENV: 'test', LOG_LEVEL: 'info', HOST: '127.0.0.1', PORT: '0' };

/** A new key that signs principals, and the setting of the services that verify them. */
export function newPrincipalKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateJwk.parse({ ...privateKey.export({ format: 'jwk' }), kid: 'bench' });
  const { d: _private, ...publicKey } = key;
  return { key, PRINCIPAL_JWKS: JSON.stringify({ keys: [publicKey] }) };
}
