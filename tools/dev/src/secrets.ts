import { createHash, generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { type NatsUser, natsUsers } from '@casewatch/platform';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

export interface KeyPair {
  private: JsonWebKey;
  public: JsonWebKey;
}

export interface Secrets {
  principal: KeyPair;
  token: KeyPair;
  natsPasswords: Record<NatsUser, string>;
  secretPepper: string;
  cursorKeys: Record<'identity' | 'cases' | 'webhooks', string>;
  notifierEncryptionKey: string;
  notifierHmacKey: string;
  webhooksEncryptionKey: string;
  uscis: { clientId: string; clientSecret: string };
  twilio: { accountSid: string; authToken: string };
  /** Signs the mail provider's callbacks. */
  resendSecret: string;
}

/** Reads the secrets of a development system; the first call creates them. */
export function loadSecrets(file: string): Secrets {
  const stored = readPrivateJson<Secrets>(file);
  const natsPasswords = { ...passwords(), ...stored?.natsPasswords };
  // Data of an earlier version lack what is new.
  const secrets = { ...makeSecrets(), ...stored, natsPasswords };
  writePrivateJson(file, secrets);
  return secrets;
}

function makeSecrets(): Secrets {
  return {
    principal: makeKeyPair(),
    token: makeKeyPair(),
    natsPasswords: passwords(),
    secretPepper: text(),
    cursorKeys: { identity: text(), cases: text(), webhooks: text() },
    notifierEncryptionKey: bytes(),
    notifierHmacKey: text(),
    webhooksEncryptionKey: bytes(),
    uscis: { clientId: randomBytes(16).toString('hex'), clientSecret: text() },
    twilio: {
      accountSid: `AC${randomBytes(16).toString('hex')}`,
      authToken: randomBytes(16).toString('hex'),
    },
    resendSecret: `whsec_${bytes()}`,
  };
}

function passwords(): Record<NatsUser, string> {
  const entries = natsUsers.map((name) => [name, text()]);
  return Object.fromEntries(entries);
}

/** 256 random bits, as base64url. */
export function text(): string {
  return randomBytes(32).toString('base64url');
}

/** 256 random bits, as base64. */
export function bytes(): string {
  return randomBytes(32).toString('base64');
}

/** Keys for ES256, each with its key id. */
export function makeKeyPair(): KeyPair {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = pair.publicKey.export({ format: 'jwk' });
  // RFC 7638: the thumbprint covers the required members in this order.
  const { crv, kty, x, y } = publicKey;
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  const header = { kid, alg: 'ES256', use: 'sig' };
  return {
    private: { ...pair.privateKey.export({ format: 'jwk' }), ...header },
    public: { ...publicKey, ...header },
  };
}
