import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts what must not lie open in the database. `about` (the row's id) is bound in: a text fits its own row only. */
export type Seal = {
  close(text: string, about: string): string;
  /** @throws Error where text, key or row do not belong together */
  open(sealed: string, about: string): string;
};

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a fresh nonce each; base64 of nonce, tag and text. */
export function createSeal(secret: string): Seal {
  const key = keyOf(secret);
  return {
    close(text, about) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(
        Buffer.from(about),
      );
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed, about) {
      const bytes = Buffer.from(sealed, 'base64');
      const iv = bytes.subarray(0, ivBytes);
      const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
        .setAAD(Buffer.from(about))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** 32 bytes in base64 are the key; any other secret is stretched to one (HKDF, RFC 5869). */
function keyOf(secret: string): Buffer {
  if (/^[A-Za-z0-9+/]{43}=$/.test(secret)) return Buffer.from(secret, 'base64');
  return Buffer.from(hkdfSync('sha256', secret, '', 'casewatch notifier mails', 32));
}
