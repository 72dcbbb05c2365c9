import { readConfig } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { webhooksConfig } from '../src/config.ts';

const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'k' };
const env = {
  PORT: '0',
  NATS_URL: 'nats://127.0.0.1:1',
  NATS_USER: 'webhooks',
  NATS_PASSWORD: 'x',
  MONGODB_URL: 'mongodb://127.0.0.1/webhooks',
  PRINCIPAL_JWKS: JSON.stringify({ keys: [jwk] }),
  CURSOR_KEY: 'a'.repeat(32),
  WEBHOOKS_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
};

describe('settings', () => {
  it('have safe defaults', () => {
    const config = readConfig(webhooksConfig, env);
    expect(config).toMatchObject({ WEBHOOKS_ALLOW_LOOPBACK: false, WEBHOOKS_RETRY_SCALE: 1 });
    expect(config.WEBHOOKS_ENCRYPTION_KEY).toHaveLength(32);
  });

  it('refuse loopback in production, and a key that is not 32 bytes', () => {
    const loopback = { ...env, NODE_ENV: 'production', WEBHOOKS_ALLOW_LOOPBACK: 'true' };
    expect(() => readConfig(webhooksConfig, loopback)).toThrow(/WEBHOOKS_ALLOW_LOOPBACK/);
    const short = { ...env, WEBHOOKS_ENCRYPTION_KEY: Buffer.alloc(16).toString('base64') };
    expect(() => readConfig(webhooksConfig, short)).toThrow(/32 bytes/);
  });
});
