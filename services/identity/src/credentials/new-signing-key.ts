import { createHash, generateKeyPairSync } from 'node:crypto';

export const signingKeyPurpose = 'token signing keys';

export type KeyMaterial = {
  readonly kid: string;
  readonly x: string;
  readonly y: string;
  readonly d: string;
};

/** A new ES256 key (P-256). Its id is the thumbprint of its public part (RFC 7638). */
export function newSigningKey(): KeyMaterial {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  // The thumbprint is over the required members in this order (RFC 7638 §3.2).
  const members = JSON.stringify({ crv: 'P-256', kty: 'EC', x, y });
  return { kid: createHash('sha256').update(members).digest('base64url'), x, y, d };
}
