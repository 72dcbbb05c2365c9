import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey, type KeyRing, keyId } from './key-ring.ts';

/** Encrypts stored values. The associated data, such as a row's id, must be the same when the value is opened. */
export type SecretBox = {
  readonly currentPrefix: string;
  readonly prefixes: readonly string[];
  seal(text: string, associatedData: string): string;
  /** @throws Error if the value was changed or moved, or its key is not in the ring */
  open(sealed: string, associatedData: string): string;
};

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D). Format: `1.<key id>.<base64url of nonce, tag and text>`. */
export function createSecretBox(ring: KeyRing, purpose: string): SecretBox {
  const keys = ring.map((secret) => deriveKey(purpose, secret));
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const current = deriveKey(purpose, ring[0]);
  const prefixOf = (key: Buffer) => `1.${keyId(key)}.`;
  const currentPrefix = prefixOf(current);
  return {
    currentPrefix,
    prefixes: keys.map(prefixOf),
    seal(text, associatedData) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, current, iv).setAAD(Buffer.from(associatedData));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${currentPrefix}${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, associatedData) {
      const [version, id = '', content = ''] = sealed.split('.');
      const key = byId.get(id);
      if (version !== '1' || !key) throw new Error('sealed with a key that is not in the ring');
      const bytes = Buffer.from(content, 'base64url');
      const iv = bytes.subarray(0, ivBytes);
      const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
        .setAAD(Buffer.from(associatedData))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
