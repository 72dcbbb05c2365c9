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

  it('read networks with spaces between them, and refuse invalid ones', () => {
    const read = (text: string) => readConfig(webhooksConfig, { ...env, WEBHOOKS_DENIED_NETWORKS: text });
    expect(read('203.0.113.0/24  2001:db8::/32\n192.0.2.1').WEBHOOKS_DENIED_NETWORKS).toEqual([
      '203.0.113.0/24',
      '2001:db8::/32',
      '192.0.2.1',
    ]);
    expect(read('').WEBHOOKS_DENIED_NETWORKS).toEqual([]);
    for (const bad of ['example.com', '10.0.0.0/33', '10.0.0/8', '10', '10.0.0.0/8,11.0.0.0/8', '0x7f.1'])
      expect(() => read(bad)).toThrow(
        /WEBHOOKS_DENIED_NETWORKS: must be networks such as 203\.0\.113\.0\/24/,
      );
  });

  it('read ports with spaces between them, and refuse invalid ones', () => {
    const read = (text?: string) => readConfig(webhooksConfig, { ...env, WEBHOOKS_ALLOWED_PORTS: text });
    expect(read().WEBHOOKS_ALLOWED_PORTS).toEqual([443, 8443]);
    expect(read('443').WEBHOOKS_ALLOWED_PORTS).toEqual([443]);
    for (const bad of ['0', '65536', '443,8443', 'https'])
      expect(() => read(bad)).toThrow(/WEBHOOKS_ALLOWED_PORTS/);
  });

  it('refuse a key that is too short', () => {
    const short = { ...env, WEBHOOKS_ENCRYPTION_KEY: 'b'.repeat(31) };
    expect(() => readConfig(webhooksConfig, short)).toThrow(/WEBHOOKS_ENCRYPTION_KEY.*32 characters/);
  });
});
