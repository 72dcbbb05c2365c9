import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type {
  CaseDelivery,
  Delivery,
  DeliveryWithPayload,
  DetailedAttempt,
  Principal,
  Problem,
  ReplayTask,
  Webhook,
  WebhookEvent,
  WebhookEventTypeDescription,
} from '@casewatch/contracts';
import { principalHeader, principalSigner, start } from '@casewatch/platform';
import { connectDatabase, type TestMongo, type TestNats } from '@casewatch/testing';
import type { Resolve } from '../../src/clients/dns.ts';
import { webhooks } from '../../src/service.ts';

type Options = {
  mongo: TestMongo;
  nats: TestNats;
  /** What the DNS answers; no name has an address where it is left out. */
  resolve?: Resolve;
  /** Longest call of an endpoint, and longest wait for the DNS, ms. */
  totalMs?: number;
  dnsMs?: number;
  env?: Record<string, string>;
  /** How far ahead its time is, ms; the database's time where it is left out. */
  shiftMs?: number;
};

type Shown = Webhook & { secret?: string | null; success_rate_24h?: number | null };

/** Every field that an answer of this service may have. */
type Body = Partial<
  Problem & {
    webhook: Shown;
    webhooks: Webhook[];
    deliveries: (Delivery & Partial<CaseDelivery>)[];
    delivery: DeliveryWithPayload;
    event_id: string;
    attempt: DetailedAttempt;
    task: ReplayTask;
    events: WebhookEvent[];
    event_types: WebhookEventTypeDescription[];
    has_more: boolean;
    next_cursor: string | null;
  }
>;

type Reply = { status: number; headers: Headers; body: Body };

export type TestWebhooks = {
  dbUrl: string;
  /** What a process of its own is started with; its endpoints have the real time-outs. */
  env: Record<string, string>;
  /** Everything that a collection holds, as JSON. */
  stored(collection: string): Promise<string>;
  call(partnerId: number, method: string, path: string, body?: unknown): Promise<Reply>;
  /** `key`: the Idempotency-Key. */
  callAs(principal: Principal, method: string, path: string, body?: unknown, key?: string): Promise<Reply>;
  stop(): Promise<void>;
};

const signing = (() => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  return { kty: 'EC' as const, crv: 'P-256' as const, x, y, d, kid: 'test' };
})();

const encryptionKey = randomBytes(32).toString('base64');

/** The real service on a free port, with loopback endpoints allowed and waits a thousandth of the real ones. */
export async function startTestWebhooks(options: Options): Promise<TestWebhooks> {
  const { d: _, ...publicKey } = signing;
  const dbUrl = options.mongo.url('webhooks');
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    PORT: '0',
    MONGODB_URL: dbUrl,
    PRINCIPAL_JWKS: JSON.stringify({ keys: [publicKey] }),
    CURSOR_KEY: 'a'.repeat(32),
    WEBHOOKS_ENCRYPTION_KEY: encryptionKey,
    WEBHOOKS_RETRY_SCALE: '0.001',
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    ...options.nats.user('webhooks'),
    ...options.env,
  };
  const resolve = options.resolve ?? (async () => []);
  const times = { totalMs: options.totalMs ?? 2_000, connectMs: 1_000, dnsMs: options.dnsMs ?? 500 };
  // Read each time: a test may change it.
  const clock = { now: () => new Date(Date.now() + (options.shiftMs ?? 0)) };
  const hasClock = options.shiftMs !== undefined;
  const service = await start(webhooks, env, { resolve, times, ...(hasClock && { clock }) });
  // As if the gateway had the clock of the service.
  const sign = principalSigner(signing, clock);

  async function callAs(
    principal: Principal,
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<Reply> {
    const [pathname = ''] = path.split('?');
    const token = sign({ principal, address: '192.0.2.1' }, 'webhooks', { method, path: pathname });
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method,
      headers: {
        [principalHeader]: token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  }

  return {
    dbUrl,
    env,
    async stored(collection) {
      const db = await connectDatabase(dbUrl);
      try {
        return JSON.stringify(await db.collection(collection).find().toArray());
      } finally {
        await db.close();
      }
    },
    callAs,
    call: (partnerId, method, path, body) => callAs(partner(partnerId), method, path, body),
    stop: () => service.stop(),
  };
}

/** A partner's principal, with the scope that webhooks need. */
export function partner(partnerId: number, scopes: ('webhooks' | 'check')[] = ['webhooks']): Principal {
  return { kind: 'partner', partner_id: partnerId, key_id: `key-${partnerId}`, scopes };
}
