/**
 * The Secrets that the production overlay needs. Which keys a Secret has is read from the manifests, so that a new one cannot be
 * forgotten: a setting `<KEY>_FILE=/run/secrets/casewatch/<KEY>` of a service is a key of `<service>-secrets`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { ConfigError, natsUsers, readConfig } from '@casewatch/platform';
import { parse } from 'yaml';
import { CliError } from '../cli-error.ts';
import { ROOT } from '../options.ts';
import { bytes, type KeyPair, makeKeyPair, text } from '../secrets.ts';
import { serviceConfigs } from '../settings-tables/service-configs.ts';

/** Name of a Secret → its keys and values. */
export type Secrets = Record<string, Record<string, string>>;

/** What was made by chance: written once, then kept, because data and sessions depend on it. */
export type Made = { values: Record<string, string>; principal: KeyPair };

const overlay = join(ROOT, 'deploy/k8s/overlays/production');
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
  ],
};

const generated: Record<string, () => string> = {
  SECRET_PEPPER: text,
  CURSOR_KEY: text,
  NOTIFIER_ENCRYPTION_KEY: bytes,
  NOTIFIER_HMAC_KEY: text,
  WEBHOOKS_ENCRYPTION_KEY: bytes,
};

/**
 * All Secrets. What `made` lacks is made and added to it; what it has stays. With `mesh`, connections that are not encrypted are
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
  const keep = (name: string, make: () => string) => (values[name] ??= make());
  const passwords = {
    nats: Object.fromEntries(natsUsers.map((user) => [user, keep(`nats/${user}`, text)])),
    mongodb: Object.fromEntries(
      ['root', ...serviceNames.filter((name) => name !== 'gateway')].map((user) => [
        user,
        keep(`mongodb/${user}`, text),
      ]),
    ),
  };
  const findValue = (service: string, key: string): string | undefined => {
    const value = given[`${key}_${service.toUpperCase()}`] ?? given[key];
    if (key === 'MONGODB_URL') return value && mongodbUrl(value, service, passwords.mongodb[service] ?? '');
    if (value !== undefined) return value;
    if (key === 'NATS_PASSWORD') return passwords.nats[service as keyof typeof passwords.nats];
    if (key === 'PRINCIPAL_KEY') return JSON.stringify(principal.private);
    if (key === 'PRINCIPAL_JWKS') return JSON.stringify({ keys: [principal.public] });
    const make = generated[key];
    return make && keep(`${service}/${key}`, make);
  };

  const faults: string[] = [];
  const secrets: Secrets = {};
  for (const service of [...serviceNames, 'streams']) {
    const keys: Record<string, string> = {};
    for (const key of keysOf(service)) {
      const value = findValue(service, key);
      if (value === undefined || value === '') faults.push(`${key} of ${service}: is not given`);
      else keys[key] = value;
    }
    for (const key of optional[service as ServiceName] ?? []) if (given[key]) keys[key] = given[key];
    secrets[`${service}-secrets`] = keys;
  }
  for (const service of serviceNames)
    faults.push(...refusals(service, secrets[`${service}-secrets`] ?? {}, mesh));
  if (faults.length > 0) throw new CliError(`Nothing was written:\n  ${[...new Set(faults)].join('\n  ')}`);
  return {
    ...secrets,
    'nats-users': passwords.nats,
    'mongodb-users': passwords.mongodb,
    'mongodb-keyfile': { keyfile: keep('mongodb/keyfile', bytes) },
  };
}

/** Settings that the overlay needs beside the Secrets, for what was given without a setting in base. */
export function settingsFor(secrets: Secrets): { service: ServiceName; setting: string }[] {
  return serviceNames.flatMap((service) => {
    const inBase = new Set(keysOf(service));
    return Object.keys(secrets[`${service}-secrets`] ?? {})
      .filter((key) => !inBase.has(key))
      .map((key) => ({ service, setting: `${key}_FILE=${mounted}${key}` }));
  });
}

/** The keys that the settings of a service name, in base and in the production overlay. */
export function keysOf(service: string): string[] {
  return settingsOf(service).flatMap(([name, value]) =>
    name.endsWith('_FILE') && value.startsWith(mounted) ? [value.slice(mounted.length)] : [],
  );
}

type Generator = { name: string; literals?: string[]; envs?: string[] };

function settingsOf(service: string): [name: string, value: string][] {
  const base = join(ROOT, 'deploy/k8s/base', service);
  return [base, overlay].flatMap((folder) => {
    const { configMapGenerator } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
    const generator = (configMapGenerator as Generator[]).find(({ name }) => name === `${service}-settings`);
    const files = (generator?.envs ?? []).map((file) => readFileSync(join(folder, file), 'utf8'));
    return [...(generator?.literals ?? []), ...files.flatMap((file) => file.split('\n'))]
      .filter((line) => /^\w+=/.test(line))
      .map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  });
}

/** What the service itself would refuse at its start, of its Secret alone: the rest is the overlay's. */
function refusals(service: ServiceName, secret: Readonly<Record<string, string>>, mesh: boolean): string[] {
  const settings = settingsOf(service).filter(([name]) => !name.endsWith('_FILE'));
  const env = { ...Object.fromEntries(settings), ...secret, ...(mesh && { TRANSPORT_SECURITY: 'mesh' }) };
  try {
    readConfig(serviceConfigs[service], env);
    return [];
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    const lines = err.message.split('\n').map((line) => line.trim());
    const inBase = new Set(keysOf(service));
    return lines.flatMap((line) => {
      const [key = ''] = /^\w+/.exec(line) ?? [];
      // What is used only sometimes comes in groups: the other settings of a group are the overlay's too.
      return key in secret && inBase.has(key) ? [`${key} of ${service}${line.slice(key.length)}`] : [];
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

function checkNames(given: Readonly<Record<string, string>>): void {
  const known = new Set([...required, ...Object.values(optional).flat(), ...Object.keys(generated)]);
  const services = serviceNames.map((name) => `_${name.toUpperCase()}`);
  const unknown = Object.keys(given).filter((name) => {
    const service = services.find((ending) => name.endsWith(ending));
    return !known.has(name) && !(service && known.has(name.slice(0, -service.length)));
  });
  if (unknown.length > 0)
    throw new CliError(
      `Nothing was written: nobody reads ${unknown.join(', ')}. Known: ${[...known].sort().join(', ')}; with an ending such as _CASES for one service.`,
    );
}
