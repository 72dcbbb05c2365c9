import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type KeyRing, keyFor, keyId } from './key-ring.ts';

/** Encrypts what must not lie in a store in clear. `about` (a row's id, say) binds a text to its place: it opens nowhere else. */
export type SecretBox = {
  /** How everything begins that the current key sealed. */
  readonly currentPrefix: string;
  /** The same for each key of the ring, the current one first. */
  readonly prefixes: readonly string[];
  seal(text: string, about: string): string;
  /** @throws Error where the text was changed or moved, or sealed with a key that is not in the ring */
  open(sealed: string, about: string): string;
};

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a fresh 96-bit nonce each (NIST SP 800-38D). What it makes is `1.<key id>.<base64url of nonce, tag and
 * text>`; the key id (a hash of the derived key, 48 bits) finds the key in the ring without trying.
 */
export function createSecretBox(ring: KeyRing, purpose: string): SecretBox {
  const keys = ring.map((secret) => keyFor(purpose, secret));
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const current = keyFor(purpose, ring[0]);
  const prefixOf = (key: Buffer) => `1.${keyId(key)}.`;
  const currentPrefix = prefixOf(current);
  return {
    currentPrefix,
    prefixes: keys.map(prefixOf),
    seal(text, about) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, current, iv).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${currentPrefix}${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, about) {
      const [version, id = '', content = ''] = sealed.split('.');
      const key = byId.get(id);
      if (version !== '1' || !key) throw new Error('sealed with a key that is not in the ring');
      const bytes = Buffer.from(content, 'base64url');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(about))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
