import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { type Environment, readConfig } from '@casewatch/platform';
import { tempFolder } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { addressesAt } from '../../../tools/dev/src/addresses.ts';
import { assignPorts } from '../../../tools/dev/src/ports.ts';
import { loadSecrets } from '../../../tools/dev/src/secrets.ts';
import { settingsOfAll, settingsOfStreams } from '../../../tools/dev/src/settings.ts';
import { serviceConfigs } from '../../../tools/dev/src/settings-tables/service-configs.ts';
import { environmentOf, partNames, readSettings, settingsTogether } from '../src/settings.ts';

const withDatabase = ['identity', 'cases', 'monitor', 'notifier', 'webhooks'] as const;
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { d, ...publicKey } = { ...privateKey.export({ format: 'jwk' }), kid: 'of-a-test' };
const strong = (name: string) => `${name}-aB3xY7kQ9mN2pR5tV8wZ1cD4fG6hJ0`;

/** One small machine in production: MongoDB and NATS on its loopback, nothing else said than what must be said. */
function smallMachine(): Record<string, string> {
  return {
    PORT: '8080',
    NATS_URL: 'nats://127.0.0.1:4222',
    PUBLIC_URL: 'https://cases.firm.test',
    PRINCIPAL_KEY: JSON.stringify({ ...publicKey, d }),
    PRINCIPAL_JWKS: JSON.stringify({ keys: [publicKey] }),
    SECRET_PEPPER: strong('pepper'),
    USCIS_TOKEN_URL: 'https://api.uscis.test/token',
    USCIS_API_URL: 'https://api.uscis.test/case-status',
    USCIS_CLIENT_ID: 'a-client',
    USCIS_CLIENT_SECRET: strong('uscis'),
    SMTP_URL: 'smtps://user:password@mail.firm.test:465',
    MAIL_FROM: 'Casewatch <no-reply@firm.test>',
    NOTIFIER_ENCRYPTION_KEY: strong('notifier'),
    NOTIFIER_HMAC_KEY: strong('links'),
    WEBHOOKS_ENCRYPTION_KEY: strong('webhooks'),
    ...Object.fromEntries(
      partNames.map((part) => [`${part.toUpperCase()}__NATS_PASSWORD`, strong(`nats-${part}`)]),
    ),
    ...Object.fromEntries(
      withDatabase.map((name) => [
        `${name.toUpperCase()}__MONGODB_URL`,
        `mongodb://${name}:${strong('mongo')}@127.0.0.1:27017/${name}?authSource=admin`,
      ]),
    ),
    ...Object.fromEntries(
      ['IDENTITY', 'CASES', 'WEBHOOKS'].map((name) => [`${name}__CURSOR_KEY`, strong(`cursor-${name}`)]),
    ),
  };
}

function faultsOf(env: Environment): string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    return (error as { faults: string[] }).faults;
  }
}

describe('one environment for all services', () => {
  it('holds in production with MongoDB and NATS on the loopback, and without certificates', () => {
    expect(faultsOf(smallMachine())).toEqual([]);
    const { environments } = readSettings(smallMachine());
    expect(environments.cases).toMatchObject({ NATS_USER: 'cases', HOST: '127.0.0.1', PORT: '8082' });
    expect(environments.cases.MONGODB_URL).toContain('/cases?');
    // The gateway alone is reached from outside, and reaches the others where they listen.
    expect(environments.gateway).toMatchObject({ PORT: '8080', CASES_URL: 'http://127.0.0.1:8082' });
    expect(environments.gateway.HOST).toBeUndefined();
  });

  it('gives a part no secret of another', () => {
    const { environments } = readSettings(smallMachine());
    for (const part of partNames) {
      const foreign = partNames
        .filter((other) => other !== part)
        .flatMap((other): (string | undefined)[] => {
          const { NATS_PASSWORD, MONGODB_URL, PRINCIPAL_KEY } = environments[other];
          return [NATS_PASSWORD, MONGODB_URL, PRINCIPAL_KEY].filter((value) => value !== undefined);
        });
      const own = environments[part];
      expect({ part, found: Object.values(own).filter((value) => foreign.includes(value)) }).toEqual({
        part,
        found: [],
      });
    }
  });

  it('still wants encryption to what is not on this machine', () => {
    const elsewhere = {
      ...smallMachine(),
      NATS_URL: 'nats://127.0.0.1:4222,nats://nats.firm.test:4222',
      CASES__MONGODB_URL: `mongodb://cases:${strong('mongo')}@127.0.0.1:1,db.firm.test:2/cases`,
      MONITOR__MONGODB_URL: `mongodb://monitor:${strong('mongo')}@localhost:27017/monitor`,
      CASES__HOST: '0.0.0.0',
      CASES_URL: 'http://cases.firm.test:8080',
    };
    expect(faultsOf(elsewhere).sort()).toEqual([
      expect.stringMatching(/^CASES_URL: must begin with https/),
      expect.stringMatching(/^CASES__MONGODB_URL: must be encrypted/),
      expect.stringMatching(/^CASES__TLS_KEY: is not set/),
      expect.stringMatching(/^MONITOR__MONGODB_URL: must be encrypted/),
      expect.stringMatching(/^NATS_URL: every address must begin with tls/),
      expect.stringMatching(/^TLS_CERT: is not set/),
    ]);
  });

  it('refuses a secret for all where each part has its own, and says which', () => {
    const { CASES__MONGODB_URL, IDENTITY__CURSOR_KEY, ...env } = smallMachine();
    const faults = faultsOf({ ...env, MONGODB_URL: CASES__MONGODB_URL, CURSOR_KEY_FILE: '/run/key' });
    expect(faults).toEqual([
      'MONGODB_URL: each part has its own: IDENTITY__MONGODB_URL, CASES__MONGODB_URL, MONITOR__MONGODB_URL, NOTIFIER__MONGODB_URL, WEBHOOKS__MONGODB_URL',
      'CURSOR_KEY_FILE: each part has its own: IDENTITY__CURSOR_KEY, CASES__CURSOR_KEY, WEBHOOKS__CURSOR_KEY',
      'IDENTITY__CURSOR_KEY: is not set',
      'CASES__MONGODB_URL: is not set',
    ]);
  });

  it('names the faults of all parts together, once each, and shows no value', () => {
    const env = {
      ...smallMachine(),
      LOG_LEVEL: 'loud',
      MONITOR__LOG_LEVEL: 'debug',
      PUBLIC_URL: 'http://cases.firm.test',
      USCIS_CLIENT_SECRET: '',
      CASES__MONGODB_URL: 'mongodb://cases:pass/word@127.0.0.1/cases',
      NOTIFIER__NATS_PASSWORD_FILE: '/no/such/file',
      NOTIFIER__NATS_PASSWORD: '',
      MONITOR__PORT: '70000',
      CASES__MONGO_URL: 'mongodb://a-typo',
      CASE__LOG_LEVEL: 'info',
      CASES__DRAIN_MS: '5000',
      DRAIN_MS: 'soon',
    };
    const faults = faultsOf(env);
    expect([...new Set(faults.map((fault) => fault.split(': ')[0]))].sort()).toEqual([
      'CASES__DRAIN_MS',
      'CASES__MONGODB_URL',
      'CASES__MONGO_URL',
      'CASE__LOG_LEVEL',
      'DRAIN_MS',
      'LOG_LEVEL',
      'MONITOR__PORT',
      'NOTIFIER__NATS_PASSWORD_FILE',
      'PUBLIC_URL',
      'USCIS_CLIENT_SECRET',
    ]);
    for (const value of ['pass/word', 'a-typo', 'loud', '70000'])
      expect(faults.join('\n')).not.toContain(value);
  });

  it('is made of six environments, which come out again as they went in', async () => {
    await using stack = new AsyncDisposableStack();
    const folder = await tempFolder();
    stack.defer(folder.remove);
    const ports = assignPorts(4000);
    const urls = { mongodbUrl: 'mongodb://127.0.0.1:4011/?replicaSet=rs0', natsUrl: 'nats://127.0.0.1:4012' };
    const secrets = loadSecrets(join(folder.path, 'secrets.json'));
    const source = { ports, addresses: addressesAt(ports, urls), secrets, env: { LOG_LEVEL: 'debug' } };
    const apart = { ...settingsOfAll(source), streams: settingsOfStreams(source) };
    const together = settingsTogether(apart);
    expect(together).toMatchObject({ NODE_ENV: 'development', NATS_URL: urls.natsUrl });
    for (const [name, config] of Object.entries(serviceConfigs)) {
      const part = name as keyof typeof apart;
      const { OTEL_EXPORTER_OTLP_ENDPOINT, ...expected } = readConfig(config, apart[part]);
      expect(readConfig(config, environmentOf(part, together))).toEqual(expected);
    }
    expect(environmentOf('streams', together)).toMatchObject(apart.streams);
  });
});
