import { randomBytes } from 'node:crypto';
import {
  asSecret,
  baseSettings,
  type ConfigError,
  httpsInProduction,
  keyRingSetting,
  principalSettings,
  readConfig,
  secretSetting,
  storeSettings,
} from '@casewatch/platform';
import { makeAuthority } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

const schema = z.object({
  ...baseSettings,
  ...storeSettings,
  ...principalSettings,
  SECRET_PEPPER: secretSetting,
  CURSOR_KEY: keyRingSetting,
  PARTNER_TOKEN: asSecret(z.string()).optional(),
  PUBLIC_URL: httpsInProduction(z.url()).optional(),
});

const random = () => randomBytes(32).toString('base64url');
const served = makeAuthority().issue('cases');
const jwk = (kid: string) => ({ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid });

const good = {
  NODE_ENV: 'production',
  PORT: '80',
  NATS_URL: 'tls://nats-0.example:4222,tls://nats-1.example:4222',
  NATS_USER: 'cases',
  NATS_PASSWORD: random(),
  MONGODB_URL: `mongodb://cases:${random()}@a.example:27017,b.example:27017/cases?replicaSet=rs0&tls=true`,
  PRINCIPAL_JWKS: JSON.stringify({ keys: [jwk('2026-11')] }),
  SECRET_PEPPER: random(),
  CURSOR_KEY: `${random()} ${random()}`,
  TLS_CERT: served.cert,
  TLS_KEY: served.key,
};

function faultsOf(changes: Record<string, string>): string[] {
  try {
    readConfig(schema, { ...good, ...changes });
    return [];
  } catch (error) {
    return (error as ConfigError).message.split('\n  ').slice(1);
  }
}

describe('the certificate of a service', () => {
  const other = makeAuthority().issue('cases');
  const at = (changes: Record<string, string>) => faultsOf({ ...changes, NODE_ENV: 'development' });

  it.each([
    ['without its key', { TLS_KEY: '' }, ['TLS_CERT: is set without TLS_KEY']],
    ['with the key of another one', { TLS_KEY: other.key }, ['TLS_KEY: does not belong to TLS_CERT']],
    ['that is missing', { TLS_CERT: '' }, ['TLS_KEY: is set without TLS_CERT']],
    ['that is none', { TLS_CERT: other.key }, ['TLS_CERT: is not a certificate']],
  ])('is refused %s, outside production too', (_, changes, faults) => {
    expect(at({})).toEqual([]);
    expect(at(changes)).toEqual(faults);
  });
});

describe('settings in production', () => {
  it('are accepted where secrets are random and connections encrypted', () => {
    expect(faultsOf({})).toEqual([]);
  });

  it.each([
    ['a demo value', 'demo-only-secret-of-the-cursor-9f1b2c', /^CURSOR_KEY: is a demo value/],
    ['one in base64', Buffer.from('casewatch-demo-only-key-32-bytes').toString('base64'), /is a demo value/],
    ['a placeholder', 'CHANGE-ME-CHANGE-ME-please-do-it-now', /^CURSOR_KEY: is a placeholder/],
    ['one character', 'x'.repeat(40), /fewer than 8 different characters/],
    ['a repetition', 'aK3_9dQzT1m5'.repeat(4), /repeats itself/],
    ['a sequence', 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ', /is a sequence/],
    ['a short one', 'aK3_9dQzT1m5', /CURSOR_KEY/],
  ])('refuse %s for a secret, without quoting it', (_, secret, reason) => {
    const faults = faultsOf({ CURSOR_KEY: secret });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(reason);
    expect(faults[0]).not.toContain(secret);
  });

  it('judge each secret of a ring', () => {
    expect(faultsOf({ CURSOR_KEY: `${random()} ${'x'.repeat(40)}` })).toHaveLength(1);
  });

  it('refuse one secret for two purposes', () => {
    const faults = faultsOf({ CURSOR_KEY: good.SECRET_PEPPER });
    expect(faults).toEqual([expect.stringMatching(/^(CURSOR_KEY|SECRET_PEPPER): is the same as/)]);
  });

  it('accept certificates for several connections, the same one or not', () => {
    const { cert, key } = makeAuthority().issue('cases');
    const clients = { NATS_TLS_CERT: cert, NATS_TLS_KEY: key, MONGODB_TLS_CERT: cert, MONGODB_TLS_KEY: key };
    expect(faultsOf(clients)).toEqual([]);
  });

  it("refuse the demo's keys by their key id", () => {
    const keys = JSON.stringify({ keys: [jwk('demo-principal')] });
    expect(faultsOf({ PRINCIPAL_JWKS: keys })).toEqual([expect.stringMatching(/^PRINCIPAL_JWKS: is a demo/)]);
  });

  it('refuse a plain connection to NATS, one of several too', () => {
    const plain = { NATS_URL: 'tls://nats-0.example:4222,nats://nats-1.example:4222' };
    expect(faultsOf(plain)).toEqual([expect.stringMatching(/^NATS_URL: every address must begin with tls:/)]);
  });

  const login = `mongodb://cases:${random()}@`;
  it.each([
    ['plain', `${login}db.example/cases`, /must be encrypted/],
    [
      'with TLS switched off',
      `mongodb+srv://cases:${random()}@db.example/cases?tls=false`,
      /must be encrypted/,
    ],
    ['unchecked', `${login}db.example/cases?tls=true&tlsInsecure=true`, /check the server's certificate/],
    [
      'with any certificate',
      `${login}db.example/cases?ssl=true&tlsAllowInvalidCertificates=true`,
      /check the server/,
    ],
    ['of anybody', 'mongodb://db.example/cases?tls=true', /must name a user/],
    [
      'with a weak password',
      'mongodb://cases:password1@db.example/cases?tls=true',
      /its password is a placeholder/,
    ],
    [
      'with a demo password',
      'mongodb://cases:demo-only-mongodb@db.example/cases?tls=true',
      /its password is a demo/,
    ],
  ])('refuse a connection to MongoDB %s', (_, url, reason) => {
    const faults = faultsOf({ MONGODB_URL: url });
    expect(faults).toEqual([expect.stringMatching(/^MONGODB_URL: /)]);
    expect(faults[0]).toMatch(reason);
  });

  it('accept a service record, which is encrypted, and a certificate in place of a password', () => {
    expect(faultsOf({ MONGODB_URL: `mongodb+srv://cases:${random()}@db.example/cases` })).toEqual([]);
    const x509 = 'mongodb://db.example/cases?tls=true&authMechanism=MONGODB-X509';
    expect(faultsOf({ MONGODB_URL: x509 })).toEqual([]);
  });

  it('accept plain connections where a service mesh is said to encrypt them', () => {
    const plain = { NATS_URL: 'nats://nats:4222', MONGODB_URL: `${login}db.example/cases` };
    expect(faultsOf(plain)).toHaveLength(2);
    expect(faultsOf({ ...plain, TRANSPORT_SECURITY: 'mesh' })).toEqual([]);
  });

  it('refuse a public address that is not https', () => {
    expect(faultsOf({ PUBLIC_URL: 'http://casewatch.example' })).toEqual([
      'PUBLIC_URL: must begin with https://',
    ]);
    expect(faultsOf({ PUBLIC_URL: 'https://casewatch.example' })).toEqual([]);
  });

  it('refuse a service behind the gateway without a certificate, unless a service mesh is said to encrypt', () => {
    const without = { TLS_CERT: '', TLS_KEY: '' };
    expect(faultsOf(without)).toEqual([
      expect.stringMatching(/^TLS_CERT: is not set, and the gateway must be answered over TLS/),
      expect.stringMatching(/^TLS_KEY: is not set/),
    ]);
    expect(faultsOf({ ...without, TRANSPORT_SECURITY: 'mesh' })).toEqual([]);
    expect(faultsOf({ ...without, NODE_ENV: 'development' })).toEqual([]);
  });

  it("refuse the demo's certificate by its name", () => {
    const { cert, key } = makeAuthority('demo-only authority').issue('cases');
    expect(faultsOf({ TLS_CERT: cert, TLS_KEY: key })).toEqual([
      'TLS_CERT: is a demo value, known to everybody',
    ]);
  });

  it('name every fault together, the missing ones too', () => {
    const faults = faultsOf({
      SECRET_PEPPER: '',
      CURSOR_KEY: 'x'.repeat(40),
      NATS_URL: 'nats://a',
      PORT: 'x',
    });
    const names = faults.map((fault) => fault.split(':')[0]);
    expect(names.toSorted()).toEqual(['CURSOR_KEY', 'NATS_URL', 'PORT', 'SECRET_PEPPER']);
    expect(faults).toContain('SECRET_PEPPER: is not set');
  });

  it('hold where NODE_ENV is not set', () => {
    expect(faultsOf({ NODE_ENV: '', CURSOR_KEY: 'x'.repeat(40) })).toHaveLength(1);
    expect(readConfig(schema, { ...good, NODE_ENV: undefined }).NODE_ENV).toBe('production');
  });

  it('do not hold elsewhere', () => {
    const demo = { NODE_ENV: 'development', CURSOR_KEY: 'x'.repeat(40), NATS_URL: 'nats://127.0.0.1:4222' };
    expect(faultsOf(demo)).toEqual([]);
  });
});
