import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Held, rings } from './stages.ts';

/** The deployment whose passwords of MongoDB and NATS are replaced; the others' are replaced in the same way. */
export const withPasswords = 'cases';
const verifiers = ['identity', 'cases', 'webhooks', 'notifier'];

/** Which settings of which deployment are replaced. */
export const replaced: Readonly<Record<string, readonly string[]>> = {
  gateway: ['PRINCIPAL_KEY'],
  ...Object.fromEntries(
    verifiers.map((name) => [
      name,
      [
        ...(rings[name] ?? []),
        'PRINCIPAL_JWKS',
        ...(name === withPasswords ? ['MONGODB_URL', 'NATS_PASSWORD'] : []),
      ],
    ]),
  ),
};

/** A new set of the secrets that are held now. */
export function freshSecrets(held: Held): Held {
  const { privateJwk, jwks } = newPrincipalKey();
  const freshOf = (name: string, former: string) => {
    if (name === 'PRINCIPAL_KEY') return privateJwk;
    if (name === 'PRINCIPAL_JWKS') return jwks;
    if (name === 'MONGODB_URL') return asUser(former, secondUser(userOf(former).user), newPassword());
    // Letters, digits, - and _, as components/nats asks.
    return name === 'NATS_PASSWORD' ? newPassword() : randomBytes(32).toString('base64');
  };
  return Object.fromEntries(
    Object.entries(held).map(([deployment, values]) => [
      deployment,
      Object.fromEntries(Object.entries(values).map(([name, former]) => [name, freshOf(name, former)])),
    ]),
  );
}

// mongodb://<user>:<password>@<hosts>…; several hosts with commas are no URL to the URL class.
const credentials = /^(mongodb(?:\+srv)?:\/\/)([^:@/]+):([^@/]+)@/;

/** Who a MONGODB_URL signs in as. @throws Error where it names nobody */
export function userOf(url: string): { user: string; password: string } {
  const [, , user, password] = credentials.exec(url) ?? [];
  if (user === undefined || password === undefined) throw new Error('MONGODB_URL names no user');
  return { user: decodeURIComponent(user), password: decodeURIComponent(password) };
}

/** The same database as somebody else. */
export function asUser(url: string, user: string, password: string): string {
  return url.replace(
    credentials,
    (_all, scheme: string) => `${scheme}${encodeURIComponent(user)}:${encodeURIComponent(password)}@`,
  );
}

/** `cases` and `cases.2` take turns; components/mongodb gives what stands before the dot as the database. */
function secondUser(user: string): string {
  return user.endsWith('.2') ? user.slice(0, -2) : `${user}.2`;
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

function newPrincipalKey(): { privateJwk: string; jwks: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const about = { kid: `rotated-${randomBytes(6).toString('base64url')}`, alg: 'ES256', use: 'sig' };
  return {
    privateJwk: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), ...about }),
    jwks: JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), ...about }] }),
  };
}
