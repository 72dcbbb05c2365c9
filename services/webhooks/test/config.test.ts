import { readConfig } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { webhooksConfig } from '../src/config.ts';

const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'k' };
const env = {
  NODE_ENV: 'test',
  PORT: '0',
  NATS_URL: 'nats://127.0.0.1:1',
  NATS_USER: 'webhooks',
  NATS_PASSWORD: 'x',
  MONGODB_URL: 'mongodb://127.0.0.1/webhooks',
  PRINCIPAL_JWKS: JSON.stringify({ keys: [jwk] }),
  CURSOR_KEY: 'a'.repeat(32),
  WEBHOOKS_ENCRYPTION_KEY: 'b'.repeat(32),
};

describe('settings', () => {
  it('have safe defaults', () => {
    expect(readConfig(webhooksConfig, env)).toMatchObject({
      WEBHOOKS_ALLOW_LOOPBACK: false,
      WEBHOOKS_RETRY_SCALE: 1,
      WEBHOOKS_ENCRYPTION_KEY: ['b'.repeat(32)],
    });
  });

  it('refuse, in production, endpoints on this machine', () => {
    const read = (changes: Record<string, string>) => () =>
      readConfig(webhooksConfig, { ...env, ...changes, NODE_ENV: 'production' });
    expect(read({ WEBHOOKS_ALLOW_LOOPBACK: 'true' })).toThrow(/WEBHOOKS_ALLOW_LOOPBACK: is for development/);
    expect(read({ WEBHOOKS_ALLOW_LOOPBACK: 'false' })).not.toThrow(/WEBHOOKS_ALLOW_LOOPBACK/);
  });

  it('refuse a key that is too short', () => {
    const short = { ...env, WEBHOOKS_ENCRYPTION_KEY: 'b'.repeat(31) };
    expect(() => readConfig(webhooksConfig, short)).toThrow(/WEBHOOKS_ENCRYPTION_KEY.*32 characters/);
  });
});
