import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  type Base,
  type ContextInput,
  type Cursors,
  createBatch,
  createCursors,
  createSecretBox,
  type SecretBox,
} from '@casewatch/platform';
import {
  createIdempotency,
  type Database,
  type Erasure,
  type Idempotency,
} from '@casewatch/platform/database';
import { eraseMissed, eraseUsers } from './changes/erase-users.ts';
import { type NewEvent, storeEvents } from './changes/store-events.ts';
import { dnsResolver, type Resolve } from './clients/dns.ts';
import {
  createEndpointClient,
  type EndpointClient,
  type EndpointTimes,
  endpointTimes,
} from './clients/endpoint.ts';
import { createLogoClient, type LogoClient, logoTimes } from './clients/logo.ts';
import { createOwners, type Owners } from './clients/owners.ts';
import { createPublicAddresses, type PublicAddresses } from './clients/public-addresses.ts';
import type { WebhooksConfig } from './config.ts';
import { Admission } from './domain/admission.ts';
import { opensAt } from './domain/circuit.ts';
import { networksFrom } from './domain/networks.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { Signals } from './signals.ts';
import { resealSecrets } from './store/reseal-secrets.ts';
import { createStores, type Stores } from './store/stores.ts';

type Random = {
  bytes(count: number): Buffer;
  fraction(): number;
};

export type Context = Pick<
  Base<'webhooks'>,
  'log' | 'clock' | 'ids' | 'db' | 'leases' | 'bus' | 'outbox' | 'serviceState'
> & {
  readonly config: WebhooksConfig;
  readonly stores: Stores;
  readonly cursors: Cursors;
  readonly idempotency: Idempotency;
  readonly signals: Signals;
  readonly admission: Admission;
  /** Stores an event; events of parallel handlers are stored together. */
  readonly storeEvent: (event: NewEvent) => Promise<null>;
  readonly eraseUser: (erasure: Erasure) => Promise<null>;
  /** After an event of the user is stored: an erasure that came in between has missed its rows. */
  readonly eraseMissed: (userId: number) => Promise<null>;
  readonly random: Random;
  readonly box: SecretBox;
  readonly addresses: PublicAddresses;
  readonly endpoint: EndpointClient;
  readonly logos: LogoClient;
  readonly metrics: Metrics;
  readonly owners: Owners;
};

type Overrides = { resolve: Resolve; times: EndpointTimes };

const batches = { size: 128, gathers: true };
/** The attempt does not wait for it, so that many events need one question. */
const missed = { size: 128, waitMs: 50 };

/** @throws Error if a secret was sealed with a key that is not in the ring */
export async function createContext({
  base,
  config,
  overrides,
}: ContextInput<'webhooks', WebhooksConfig, Database, Overrides>): Promise<Context> {
  const { log, clock, ids, db, leases, bus, outbox, serviceState } = base;
  const stores = createStores(db);
  const box = createSecretBox(config.WEBHOOKS_ENCRYPTION_KEY, 'webhook secrets');
  await resealSecrets(stores.webhooks, box, log);
  const addresses = addressesOf(config, overrides.resolve ?? dnsResolver(), clock.now);
  const metrics = createMetrics(base.meter, { log, measureBacklog: () => measureBacklog(stores) });
  const endpoint = metrics.measured(createEndpointClient(addresses, overrides.times ?? endpointTimes));
  base.onStop(() => endpoint.stop());
  const logos = createLogoClient(addresses, overrides.times ?? logoTimes);
  base.onStop(() => logos.stop());
  const intake = {
    stores,
    signals: new EventEmitter() as Signals,
    admission: new Admission(),
    random: { bytes: (count: number) => randomBytes(count), fraction: () => Math.random() },
  };
  return {
    ...intake,
    config,
    log,
    clock,
    ids,
    db,
    leases,
    bus,
    outbox,
    serviceState,
    cursors: createCursors(config.CURSOR_KEY, clock.now),
    idempotency: createIdempotency(db, config.CURSOR_KEY),
    ...batchesOf(intake),
    box,
    addresses,
    endpoint,
    logos,
    metrics,
    owners: createOwners(bus, log),
  };
}

/** The context of events and loops (`ctx.db` is of their pool). */
export function inBackground(ctx: Context): Context {
  const idempotency = createIdempotency(ctx.db, ctx.config.CURSOR_KEY);
  const onPool = { ...ctx, idempotency, stores: createStores(ctx.db) };
  return { ...onPool, ...batchesOf(onPool) };
}

function batchesOf(intake: Pick<Context, 'stores' | 'signals' | 'admission' | 'random'>) {
  return {
    storeEvent: createBatch((events: readonly NewEvent[]) => storeEvents(intake, events), batches),
    eraseUser: createBatch((erasures: readonly Erasure[]) => eraseUsers(intake, erasures), batches),
    eraseMissed: createBatch((userIds: readonly number[]) => eraseMissed(intake, userIds), missed),
  };
}

async function measureBacklog({ webhookHealth, overdue }: Stores) {
  const [endpoints, oldestOverdueMs] = await Promise.all([
    webhookHealth.count(),
    overdue.oldestMs({ circuitOpensAt: opensAt }),
  ]);
  return { ...endpoints, oldestOverdueMs };
}

function addressesOf(config: WebhooksConfig, resolve: Resolve, now: () => Date): PublicAddresses {
  const networks = networksFrom({
    denied: config.WEBHOOKS_DENIED_NETWORKS,
    allowed: config.WEBHOOKS_ALLOWED_NETWORKS,
  });
  return createPublicAddresses({ resolve, networks, allowLoopback: config.WEBHOOKS_ALLOW_LOOPBACK, now });
}
