import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type ConfigError, readConfig } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { gatewayConfig } from '../src/config.ts';

const services = ['IDENTITY_URL', 'CASES_URL', 'WEBHOOKS_URL', 'NOTIFIER_URL'];
const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
const sibling = 'https://sibling.example';
const good = {
  NODE_ENV: 'production',
  PORT: '80',
  NATS_URL: 'tls://nats.example:4222',
  NATS_USER: 'gateway',
  NATS_PASSWORD: randomBytes(32).toString('base64url'),
  PRINCIPAL_KEY: JSON.stringify({ ...jwk, kid: '2026-11' }),
  PUBLIC_URL: 'https://api.example',
  IDENTITY_URL: sibling,
  CASES_URL: sibling,
  WEBHOOKS_URL: sibling,
  NOTIFIER_URL: sibling,
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

describe('settings of the gateway', () => {
  it('are accepted in production where they are sane', () => {
    const sane = {
      RATE_LIMIT_SCALE: '2',
      CORS_ORIGINS: 'https://app.example, https://app.example:8443',
      TRUSTED_HOPS: '3',
    };
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf(sane)).toEqual([]);
  });

  it.each([
    '*',
    'null',
    'https://app.example/',
    'https://app.example/path',
    'app.example',
    'HTTPS://App.example',
  ])('refuse %s for an origin, everywhere', (origin) => {
    const CORS_ORIGINS = `https://app.example,${origin}`;
    const fault = /^CORS_ORIGINS: each must be an exact origin/;
    expect(faultsOf({ CORS_ORIGINS })).toEqual([expect.stringMatching(fault)]);
    expect(() => readConfig(gatewayConfig, { ...good, NODE_ENV: 'development', CORS_ORIGINS })).toThrow(
      'CORS_ORIGINS',
    );
  });

  it('refuse in production what only development needs, all faults together', () => {
    const faults = faultsOf({
      RATE_LIMIT_SCALE: '2.1',
      CORS_ORIGINS: 'http://app.example',
      TRUSTED_HOPS: '4',
    });
    expect(faults.toSorted()).toEqual([
      'CORS_ORIGINS: each must begin with https:// in production',
      'RATE_LIMIT_SCALE: must be at most 2 in production',
      'TRUSTED_HOPS: must be from 0 to 3',
    ]);
    const development = {
      NODE_ENV: 'development',
      RATE_LIMIT_SCALE: '100',
      CORS_ORIGINS: 'http://app.example',
    };
    expect(faultsOf(development)).toEqual([]);
  });
});
