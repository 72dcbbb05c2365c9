import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type ConfigError, readConfig } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { gatewayConfig } from '../src/config.ts';

const services = ['IDENTITY_URL', 'CASES_URL', 'WEBHOOKS_URL', 'NOTIFIER_URL'];
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const good = {
  NODE_ENV: 'production',
  PORT: '8080',
  NATS_URL: 'tls://nats.example:4222',
  NATS_USER: 'gateway',
  NATS_PASSWORD: randomBytes(24).toString('base64url'),
  PRINCIPAL_KEY: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: '2026-11' }),
  PUBLIC_URL: 'https://casewatch.example',
  ...Object.fromEntries(services.map((name) => [name, 'https://service.example'])),
};

function faultsOf(changes: Record<string, string>): string[] {
  try {
    readConfig(gatewayConfig, { ...good, ...changes });
    return [];
  } catch (error) {
    return (error as ConfigError).message.split('\n  ').slice(1);
  }
}

describe('the settings of the gateway in production', () => {
  const plain = Object.fromEntries(services.map((name) => [name, 'http://identity']));

  it('refuse every service behind it that is reached in clear', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf(plain)).toEqual(
      services.map((name) => expect.stringMatching(new RegExp(`^${name}: must begin with https://`))),
    );
  });

  it('accept plain addresses where a service mesh is said to encrypt, and in development', () => {
    expect(faultsOf({ ...plain, TRANSPORT_SECURITY: 'mesh' })).toEqual([]);
    expect(faultsOf({ ...plain, NODE_ENV: 'development' })).toEqual([]);
  });
});
