import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Deployed, rings } from './stages.ts';

/** The deployment whose passwords of MongoDB and NATS are replaced, as an example of all. */
export const withPasswords = 'cases';
const verifiers = ['identity', 'cases', 'webhooks', 'notifier'];

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

export function freshSecrets(deployed: Deployed): Deployed {
  const { privateJwk, jwks } = newPrincipalKey();
  const freshOf = (name: string, former: string) => {
    if (name === 'PRINCIPAL_KEY') return privateJwk;
    if (name === 'PRINCIPAL_JWKS') return jwks;
    if (name === 'MONGODB_URL') return asUser(former, secondUser(userOf(former).user), newPassword());
    // components/nats allows letters, digits, - and _.
    return name === 'NATS_PASSWORD' ? newPassword() : randomBytes(32).toString('base64');
  };
  return Object.fromEntries(
    Object.entries(deployed).map(([deployment, values]) => [
      deployment,
      Object.fromEntries(Object.entries(values).map(([name, former]) => [name, freshOf(name, former)])),
    ]),
  );
}

// mongodb://<user>:<password>@<hosts>…; the URL class does not accept several hosts.
const credentials = /^(mongodb(?:\+srv)?:\/\/)([^:@/]+):([^@/]+)@/;

/** The user of a MONGODB_URL. @throws Error if it names no user */
export function userOf(url: string): { user: string; password: string } {
  const [, , user, password] = credentials.exec(url) ?? [];
  if (user === undefined || password === undefined) throw new Error('MONGODB_URL names no user');
  return { user: decodeURIComponent(user), password: decodeURIComponent(password) };
}

export function asUser(url: string, user: string, password: string): string {
  return url.replace(
    credentials,
    (_all, scheme: string) => `${scheme}${encodeURIComponent(user)}:${encodeURIComponent(password)}@`,
  );
}

/** `cases` and `cases.2` take turns; components/mongodb takes the part before the dot as the database. */
function secondUser(user: string): string {
  return user.endsWith('.2') ? user.slice(0, -2) : `${user}.2`;
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

function newPrincipalKey(): { privateJwk: string; jwks: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const header = { kid: `rotated-${randomBytes(6).toString('base64url')}`, alg: 'ES256', use: 'sig' };
  return {
    privateJwk: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), ...header }),
    jwks: JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), ...header }] }),
  };
}
