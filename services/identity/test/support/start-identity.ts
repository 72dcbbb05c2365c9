import { generateKeyPairSync } from 'node:crypto';
import type { Principal } from '@casewatch/contracts';
import { type Clock, type PrivateJwk, principalSigner, readConfig, start } from '@casewatch/platform';
import { connectDatabase, startMongo, startNats, type TestMongo, type TestNats } from '@casewatch/testing';
import type mongoose from 'mongoose';
import { type AdminContext, adminConfig, createAdminContext } from '../../src/admin/admin-context.ts';
import type { IdentityConfig } from '../../src/config.ts';
import { identity } from '../../src/service.ts';

export const pepper = 'a-pepper-that-only-the-tests-know:0123456789';
export const publicUrl = 'http://127.0.0.1:4999';

export type Reply = {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  text: string;
  body: Record<string, unknown>;
};
type CallOptions = {
  as?: Principal;
  body?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  address?: string;
};

export type TestIdentity = {
  nats: TestNats;
  mongoUrl: string;
  /** The service's own database, to look into. */
  db: mongoose.mongo.Db;
  /** What an operator's command works with. */
  operator: AdminContext;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  stop(): Promise<void>;
};

/** What a test starts itself where several replicas, or one after another, work on the same. */
export type Servers = { mongo: TestMongo; nats: TestNats };

const anonymous: Principal = { kind: 'anonymous' };

/**
 * The real service on a free port, against a real mongod and nats-server. `set` is for what tests' servers could not be
 * configured with: production wants them encrypted and with passwords. `servers` given are left running when it stops.
 */
export async function startTestIdentity(
  env: Record<string, string> = {},
  set: Partial<IdentityConfig> = {},
  servers?: Servers,
  clock?: Clock,
): Promise<TestIdentity> {
  const { mongo, nats } = servers ?? (await startServers());
  const mongoUrl = mongo.url('identity');
  const gatewayKey = makeKey('gateway');
  const settings = { ...settingsAt({ mongo, nats }, gatewayKey), ...env };
  const service = await start(configuredAs(set), settings, { ...(clock && { clock }) });
  // As if the gateway had the clock of the service.
  const sign = principalSigner(gatewayKey, clock);
  const look = await connectDatabase(mongoUrl);
  if (!look.db) throw new Error('no database');
  const operator = await createAdminContext(look, readConfig(adminConfig, settings));
  return {
    nats,
    mongoUrl,
    db: look.db,
    operator,
    async call(method, path, options = {}) {
      const { as = anonymous, address = '203.0.113.7' } = options;
      const write =
        method === 'GET' || method === 'HEAD' ? undefined : { method, path: path.split('?')[0] ?? '' };
      const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        method,
        headers: {
          'x-casewatch-principal': sign({ principal: as, address }, 'identity', write),
          ...(options.body !== undefined && { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
        ...(options.form && { body: new URLSearchParams(options.form) }),
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const text = new TextDecoder().decode(bytes);
      const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
      return {
        status: response.status,
        headers: response.headers,
        bytes,
        text,
        body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
      };
    },
    async stop() {
      await look.close();
      await service.stop();
      if (servers) return;
      await nats.stop();
      await mongo.stop();
    },
  };
}

/** Of the service on these servers; a process of its own takes the same. */
export function settingsAt({ mongo, nats }: Servers, gatewayKey = makeKey('gateway')) {
  const { d: _private, ...publicKey } = gatewayKey;
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    PORT: '0',
    MONGODB_URL: mongo.url('identity'),
    ...nats.user('identity'),
    PRINCIPAL_JWKS: JSON.stringify({ keys: [publicKey] }),
    PUBLIC_URL: publicUrl,
    SECRET_PEPPER: pepper,
    TOKEN_SIGNING_KEYS: JSON.stringify({ keys: [makeKey('first'), makeKey('next')] }),
    ADDRESS_BATCH_MS: '50',
    CURSOR_KEY: 'a-cursor-key-that-only-the-tests-know:0123',
  };
}

function configuredAs(set: Partial<IdentityConfig>): typeof identity {
  return {
    ...identity,
    context: ({ config, ...rest }) => identity.context({ ...rest, config: { ...config, ...set } }),
  };
}

export async function startServers(): Promise<Servers> {
  const [mongo, nats] = await Promise.all([startMongo(), startNats()]);
  return { mongo, nats };
}

function makeKey(kid: string): PrivateJwk {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  return { kty: 'EC', crv: 'P-256', x, y, d, kid };
}
