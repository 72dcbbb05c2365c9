import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort, waitFor } from '@casewatch/testing';
import mongoose from 'mongoose';
import { type Running, startProcess } from '../kit/processes.ts';
import type { Servers } from '../kit/servers.ts';
import { newPrincipalKey } from '../kit/service-settings.ts';

/** For example OTEL_EXPORTER_OTLP_ENDPOINT: what the same requests cost with traces. */
const telemetry = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_')),
) as Record<string, string>;

const secret = () => randomBytes(32).toString('base64url');

/** A user of mongod with a password: production refuses an address without one. Returns the address of a service. */
export async function createDatabaseUser({ mongo }: Servers): Promise<(service: string) => string> {
  const password = secret();
  const client = await new mongoose.mongo.MongoClient(mongo.url('admin')).connect();
  await client.db('admin').command({ createUser: 'bench', pwd: password, roles: ['root'] });
  await client.close();
  return (service) => {
    const url = new URL(mongo.url(service));
    url.username = 'bench';
    url.password = password;
    url.searchParams.set('authSource', 'admin');
    return url.href;
  };
}

const names = ['gateway', 'identity', 'cases', 'webhooks', 'notifier'] as const;

/** gateway, identity, cases and webhooks of a checkout, with the settings of production. */
export async function startServices(checkout: string, servers: Servers, urlOf: (service: string) => string) {
  const { settings, addressOf, pepper } = await settingsOfServices(servers, urlOf);
  async function start(name: keyof typeof settings): Promise<Running> {
    const service = await startProcess(join(checkout, `services/${name}/src/main.ts`), settings[name]);
    await waitFor(async () => (await fetch(`${addressOf(name)}/readyz`)).ok, { what: name });
    return service;
  }
  const services = {
    identity: await start('identity'),
    cases: await start('cases'),
    webhooks: await start('webhooks'),
    gateway: await start('gateway'),
  };
  return { services, gatewayUrl: addressOf('gateway'), pepper };
}

/** The settings in the order of the start. */
export async function settingsOfServices(servers: Servers, urlOf: (service: string) => string) {
  const { key, PRINCIPAL_JWKS } = newPrincipalKey();
  const pepper = secret();
  const ports = new Map<string, number>();
  for (const name of names) ports.set(name, await freePort());
  const addressOf = (name: string) => `http://127.0.0.1:${ports.get(name)}`;
  const publicUrl = 'https://gateway.bench';
  const common = (name: (typeof names)[number]): Record<string, string> => ({
    NODE_ENV: 'production',
    TRANSPORT_SECURITY: 'mesh',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    PORT: String(ports.get(name)),
    ...servers.nats.user(name),
    ...telemetry,
  });
  const stored = (name: (typeof names)[number]) => ({
    ...common(name),
    MONGODB_URL: urlOf(name),
    PRINCIPAL_JWKS,
    CURSOR_KEY: secret(),
  });
  const settings = {
    identity: { ...stored('identity'), PUBLIC_URL: publicUrl, SECRET_PEPPER: pepper },
    cases: stored('cases'),
    webhooks: { ...stored('webhooks'), WEBHOOKS_ENCRYPTION_KEY: secret() },
    gateway: {
      ...common('gateway'),
      PRINCIPAL_KEY: JSON.stringify(key),
      PUBLIC_URL: publicUrl,
      IDENTITY_URL: addressOf('identity'),
      CASES_URL: addressOf('cases'),
      WEBHOOKS_URL: addressOf('webhooks'),
      NOTIFIER_URL: addressOf('notifier'),
      RATE_LIMIT_PARTNER_PER_MINUTE: '1000000',
      RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000',
    },
  };
  return { settings, addressOf, pepper };
}
