import { createCipheriv, createDecipheriv } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/** Encrypts what must not lie in the store in clear. `context` binds a value to its place: it opens nowhere else. */
export type SecretBox = {
  seal(text: string, context: string): string;
  /** @throws Error if the value was changed, moved, or sealed with another key */
  open(sealed: string, context: string): string;
};

/**
 * AES-256-GCM with a fresh 96-bit nonce per value (NIST SP 800-38D); `1.` and base64url of nonce, tag and text.
 * @param key 32 bytes
 * @param randomBytes where nonces come from
 */
export function createSecretBox(key: Uint8Array, randomBytes: (count: number) => Uint8Array): SecretBox {
  return {
    seal(text, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `1.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.slice(2), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
