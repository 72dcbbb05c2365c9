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

/** gateway, identity, cases and webhooks of a checkout, with the settings of production. */
export async function startServices(checkout: string, servers: Servers, urlOf: (service: string) => string) {
  const { key, PRINCIPAL_JWKS } = newPrincipalKey();
  const pepper = secret();
  const names = ['gateway', 'identity', 'cases', 'webhooks', 'notifier'] as const;
  const ports = new Map<string, number>();
  for (const name of names) ports.set(name, await freePort());
  const addressOf = (name: string) => `http://127.0.0.1:${ports.get(name)}`;
  const publicUrl = 'https://gateway.bench';

  async function start(name: (typeof names)[number], more: Record<string, string>): Promise<Running> {
    const service = await startProcess(join(checkout, `services/${name}/src/main.ts`), {
      NODE_ENV: 'production',
      TRANSPORT_SECURITY: 'mesh',
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      PORT: String(ports.get(name)),
      ...servers.nats.user(name),
      ...telemetry,
      ...more,
    });
    await waitFor(async () => (await fetch(`${addressOf(name)}/readyz`)).ok, { what: name });
    return service;
  }
  const stored = (name: string) => ({
    MONGODB_URL: urlOf(name),
    PRINCIPAL_JWKS,
    CURSOR_KEY: secret(),
  });
  const services = {
    identity: await start('identity', {
      ...stored('identity'),
      PUBLIC_URL: publicUrl,
      SECRET_PEPPER: pepper,
    }),
    cases: await start('cases', stored('cases')),
    webhooks: await start('webhooks', { ...stored('webhooks'), WEBHOOKS_ENCRYPTION_KEY: secret() }),
    gateway: await start('gateway', {
      PRINCIPAL_KEY: JSON.stringify(key),
      PUBLIC_URL: publicUrl,
      IDENTITY_URL: addressOf('identity'),
      CASES_URL: addressOf('cases'),
      WEBHOOKS_URL: addressOf('webhooks'),
      NOTIFIER_URL: addressOf('notifier'),
      RATE_LIMIT_PARTNER_PER_MINUTE: '1000000',
      RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000',
    }),
  };
  return { services, gatewayUrl: addressOf('gateway'), pepper };
}
