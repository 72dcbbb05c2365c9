import { generateKeyPairSync } from 'node:crypto';
import { type PrivateJwk, principalSigner, privateJwk } from '@casewatch/platform';
import type { TestMongo, TestNats } from '@casewatch/testing';
import { type CasesConfig, casesConfig } from '../../src/config.ts';

/** The gateway's key of this test. */
function signingKey(): PrivateJwk {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateJwk.parse({ ...privateKey.export({ format: 'jwk' }), kid: 'test' });
}

/** Settings for a real service on free ports, as the environment would give them. */
export function settings(mongo: TestMongo, nats: TestNats, over: Record<string, string> = {}) {
  const key = signingKey();
  const { d: _private, ...publicKey } = key;
  const env: Record<string, string> = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    PORT: '0',
    ...nats.user('cases'),
    MONGODB_URL: mongo.url('cases'),
    PRINCIPAL_JWKS: JSON.stringify({ keys: [publicKey] }),
    CURSOR_KEY: 'cursor-key-of-a-test-long-enough-to-be-taken',
    MAX_ACTIVE_CASES_PER_USER: '5',
    ...over,
  };
  const config: CasesConfig = casesConfig.parse(env);
  return { env, config, sign: principalSigner(key) };
}
