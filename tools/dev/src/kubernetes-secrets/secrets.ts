/**
 * The Secrets that the production overlay needs. Which keys a Secret has is read from the manifests, so that a new one cannot be
 * forgotten: a setting `<KEY>_FILE=/run/secrets/casewatch/<KEY>` of a service is a key of `<service>-secrets`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { ConfigError, natsUsers, readConfig, streamsConfig } from '@casewatch/platform';
import { parse } from 'yaml';
import { CliError } from '../cli-error.ts';
import { ROOT } from '../options.ts';
import { bytes, type KeyPair, makeKeyPair, text } from '../secrets.ts';
import { serviceConfigs } from '../settings-tables/service-configs.ts';

/** Name of a Secret → its keys and values. */
export type Secrets = Record<string, Record<string, string>>;

/** What was made by chance, or given in its place by a rotation: kept, because data and sessions depend on it. */
export type Made = { values: Record<string, string>; principal: KeyPair };

const production = join(ROOT, 'deploy/k8s/production');
const mounted = '/run/secrets/casewatch/';

/** What only the operator knows. `<NAME>_<SERVICE>` is for one service alone, `<NAME>` for all that have the key. */
export const required = ['NATS_URL', 'MONGODB_URL', 'SMTP_URL', 'USCIS_CLIENT_ID', 'USCIS_CLIENT_SECRET'];

/** In the Secret of a service only if they are given; the overlay then needs a setting `<KEY>_FILE` for each. */
export const optional: Partial<Record<ServiceName, string[]>> = {
  notifier: [
    'TWILIO_AUTH_TOKEN',
    'MAIL_DKIM_KEY',
    'MAIL_CALLBACK_SENDGRID_KEY',
    'MAIL_CALLBACK_RESEND_SECRET',
    // No secret, but it comes with the others.
    'MAIL_CALLBACK_SES_TOPIC',
  ],
};

/** Of each user of NATS: a rotation gives the new one. */
const natsPassword = 'NATS_PASSWORD';

/** The pair that signs what the gateway tells the services: a rotation gives both, in turns. */
const principalPair = ['PRINCIPAL_KEY', 'PRINCIPAL_JWKS'];

/** Credentials of NATS in place of a password: each user has its own file, and all have one or none. */
const credentials = 'NATS_CREDS';

/** Services, and `streams`, which declares the streams. */
const owners = [...serviceNames, 'streams'] as const;
type Owner = (typeof owners)[number];

const generated: Record<string, () => string> = {
  SECRET_PEPPER: text,
  CURSOR_KEY: text,
  NOTIFIER_ENCRYPTION_KEY: bytes,
  NOTIFIER_HMAC_KEY: text,
  WEBHOOKS_ENCRYPTION_KEY: bytes,
};

/**
 * All Secrets. What `made` lacks is made and added to it; what it has stays, until another value is given, which then stays. With `mesh`, connections that are not encrypted are
 * accepted, as the services accept them with TRANSPORT_SECURITY=mesh.
 * @throws CliError that names everything that is missing or refused, without a value
 */
export function makeSecrets(
  given: Readonly<Record<string, string>>,
  made: Partial<Made>,
  { mesh = false } = {},
): Secrets {
  checkNames(given);
  made.principal ??= makeKeyPair();
  made.values ??= {};
  const { principal, values } = made as Made;
  const keep = (name: string, make: () => string, rotated?: string) =>
    (values[name] = rotated ?? values[name] ?? make());
  const passwords = {
    nats: Object.fromEntries(
      natsUsers.map((user) => [user, keep(`nats/${user}`, text, given[ownName(natsPassword, user)])]),
    ),
    mongodb: Object.fromEntries(
      ['root', ...serviceNames.filter((name) => name !== 'gateway')].flatMap((name) => {
        const second = secondUser(given[ownName('MONGODB_URL', name)], name);
        // Both work until the operator deletes the first one from what was made.
        const hasFirst = second === undefined || `mongodb/${name}` in values;
        return [...(hasFirst ? [[name, keep(`mongodb/${name}`, text)]] : []), ...(second ? [second] : [])];
      }),
    ) as Record<string, string>,
  };
  const findValue = (service: string, key: string): string | undefined => {
    const value = given[ownName(key, service)] ?? given[key];
    if (key === 'MONGODB_URL') return value && mongodbUrl(value, service, passwords.mongodb[service] ?? '');
    if (key === natsPassword) return passwords.nats[service as keyof typeof passwords.nats];
    if (key === 'PRINCIPAL_KEY') return keep(key, () => JSON.stringify(principal.private), value);
    if (key === 'PRINCIPAL_JWKS') return keep(key, () => JSON.stringify({ keys: [principal.public] }), value);
    const make = generated[key];
    return make ? keep(`${service}/${key}`, make, value) : value;
  };

  const faults: string[] = [];
  const secrets: Secrets = {};
  const withCredentials = owners.some((owner) => given[ownName(credentials, owner)] !== undefined);
  for (const service of owners) {
    const keys: Record<string, string> = {};
    for (const inBase of keysOf(service)) {
      const key = withCredentials && inBase === natsPassword ? credentials : inBase;
      const value = findValue(service, key);
      if (value === undefined || value === '')
        faults.push(
          `${key} of ${service}: is not given${key === credentials ? `, as ${ownName(key, service)}` : ''}`,
        );
      else keys[key] = value;
    }
    for (const key of optional[service as ServiceName] ?? []) if (given[key]) keys[key] = given[key];
    secrets[`${service}-secrets`] = keys;
  }
  for (const service of owners) faults.push(...refusals(service, secrets[`${service}-secrets`] ?? {}, mesh));
  if (faults.length > 0) throw new CliError(`Nothing was written:\n  ${[...new Set(faults)].join('\n  ')}`);
  return {
    ...secrets,
    // An operator of NATS makes the users that have credentials.
    ...(!withCredentials && { 'nats-users': passwords.nats }),
    'mongodb-users': passwords.mongodb,
    'mongodb-keyfile': { keyfile: keep('mongodb/keyfile', bytes) },
  };
}

/** Settings that the overlay needs beside the Secrets, for what was given without a setting in base. */
export function settingsFor(secrets: Secrets): { service: Owner; setting: string }[] {
  return owners.flatMap((service) => {
    const inBase = new Set(keysOf(service));
    return Object.keys(secrets[`${service}-secrets`] ?? {})
      .filter((key) => !inBase.has(key))
      .flatMap((key) => [
        `${key}_FILE=${mounted}${key}`,
        // Empty: base has a user and a password, and a service refuses both beside credentials.
        ...(key === credentials ? ['NATS_USER=', 'NATS_PASSWORD_FILE='] : []),
      ])
      .map((setting) => ({ service, setting }));
  });
}

/** The keys that the settings of a service name, in base and in production. */
export function keysOf(service: string): string[] {
  return settingsOf(service).flatMap(([name, value]) =>
    name.endsWith('_FILE') && value.startsWith(mounted) ? [value.slice(mounted.length)] : [],
  );
}

type Generator = { name: string; literals?: string[]; envs?: string[] };

function settingsOf(service: string): [name: string, value: string][] {
  const base = join(ROOT, 'deploy/k8s/base', service);
  return [base, production].flatMap((folder) => {
    const { configMapGenerator } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
    const generator = (configMapGenerator as Generator[]).find(({ name }) => name === `${service}-settings`);
    const files = (generator?.envs ?? []).map((file) => readFileSync(join(folder, file), 'utf8'));
    return [...(generator?.literals ?? []), ...files.flatMap((file) => file.split('\n'))]
      .filter((line) => /^\w+=/.test(line))
      .map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  });
}

/** What the service itself would refuse at its start, of its Secret alone: the rest is the overlay's. */
function refusals(service: Owner, secret: Readonly<Record<string, string>>, mesh: boolean): string[] {
  const settings = settingsOf(service).filter(
    ([name]) => !name.endsWith('_FILE') && !(name === 'NATS_USER' && credentials in secret),
  );
  const env = { ...Object.fromEntries(settings), ...secret, ...(mesh && { TRANSPORT_SECURITY: 'mesh' }) };
  try {
    readConfig(service === 'streams' ? streamsConfig : serviceConfigs[service], env);
    return [];
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    const lines = err.message.split('\n').map((line) => line.trim());
    return lines.flatMap((line) => {
      const [key = ''] = /^\w+/.exec(line) ?? [];
      // The fault of a group that is not whole names a setting of the overlay.
      return key in secret ? [`${key} of ${service}${line.slice(key.length)}`] : [];
    });
  }
}

/** The address of the servers with the user and the database of one service. A complete address stays as it is. */
function mongodbUrl(address: string, service: string, password: string): string {
  const [, scheme, user, hosts, database = '', query = ''] =
    /^(mongodb(?:\+srv)?:\/\/)([^@/]*@)?([^/?@]+)(?:\/([^?]*))?(\?.*)?$/.exec(address) ?? [];
  // The service's own check says what is wrong with it.
  if (scheme === undefined || user !== undefined || database !== '') return address;
  return `${scheme}${service}:${encodeURIComponent(password)}@${hosts}/${service}${query}`;
}

/** A user beside the one that was made, and its password: of a complete address with a user of another name. */
function secondUser(
  address: string | undefined,
  service: string,
): [user: string, password: string] | undefined {
  const [, user, password] = /^mongodb(?:\+srv)?:\/\/([^:@/]+):([^@/]+)@/.exec(address ?? '') ?? [];
  if (user === undefined || password === undefined || !user.startsWith(`${service}.`)) return undefined;
  return [user, decodeURIComponent(password)];
}

function checkNames(given: Readonly<Record<string, string>>): void {
  const known = new Set([
    ...required,
    ...Object.values(optional).flat(),
    ...Object.keys(generated),
    ...principalPair,
  ]);
  const ofOne = new Set([...known, credentials, natsPassword]);
  const endings = owners.map((name) => `_${name.toUpperCase()}`);
  const ofOperator = ownName(natsPassword, 'operator');
  const unknown = Object.keys(given).filter((name) => {
    const ending = endings.find((each) => name.endsWith(each));
    return !known.has(name) && name !== ofOperator && !(ending && ofOne.has(name.slice(0, -ending.length)));
  });
  for (const [key, what] of [
    [credentials, 'credentials'],
    [natsPassword, 'password'],
  ] as const)
    if (unknown.includes(key))
      throw new CliError(
        `Nothing was written: each user of NATS has its own ${what}: ${owners.map((name) => ownName(key, name)).join(', ')}.`,
      );
  if (unknown.length > 0)
    throw new CliError(
      `Nothing was written: nobody reads ${unknown.join(', ')}. Known: ${[...ofOne].sort().join(', ')}; with an ending such as _CASES for one service.`,
    );
}

function ownName(key: string, owner: string): string {
  return `${key}_${owner.toUpperCase()}`;
}
