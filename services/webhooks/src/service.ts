import { randomBytes } from 'node:crypto';
import {
  type Base,
  type Clock,
  createBase,
  createCursors,
  createIdempotency,
  createSecretBox,
  principalVerifier,
  type RunningService,
  type SecretBox,
  serverTls,
  startHttp,
  systemClock,
} from '@casewatch/platform';
import { dnsResolver, type Resolve } from './clients/dns.ts';
import { createEndpointClient, type EndpointTimes, endpointTimes } from './clients/endpoint.ts';
import { createPublicAddresses } from './clients/public-addresses.ts';
import type { WebhooksConfig } from './config.ts';
import type { Context, Random, Stores } from './context.ts';
import { networksFrom } from './domain/networks.ts';
import { subscriptions } from './events/subscriptions.ts';
import { routes } from './http/routes.ts';
import { startDeliverer } from './loops/deliver.ts';
import { database } from './store/database.ts';
import { createDeliveryStore } from './store/deliveries.ts';
import { createErasedUserStore } from './store/erased-users.ts';
import { createEventStore } from './store/events.ts';
import { createPartnerStore } from './store/partners.ts';
import { resealSecrets } from './store/reseal-secrets.ts';
import { createWebhookStore } from './store/webhooks.ts';

/** The world outside, where a test gives its own. */
export type Outside = { resolve: Resolve; times: EndpointTimes; clock: Clock };

/** Longest wait for requests under way when stopping, ms. */
const graceMs = 3_000;

/** Starts the webhooks service; it runs until stopped. */
export async function startWebhooks(
  config: WebhooksConfig,
  outside: Outside = { resolve: dnsResolver(), times: endpointTimes, clock: systemClock },
): Promise<RunningService> {
  const base = await createBase('webhooks', config, outside.clock);
  try {
    await base.migrate(database);
    const stores = openStores(base, config);
    const box = createSecretBox(config.WEBHOOKS_ENCRYPTION_KEY, 'webhook secrets');
    await resealSecrets(stores.webhooks, box, base.log);
    const ctx = startSending(base, config, { stores, box }, outside);
    base.begin(subscriptions(ctx));
    const http = await startHttp({
      service: 'webhooks',
      log: base.log,
      host: config.HOST,
      port: config.PORT,
      tls: serverTls(config),
      ready: base.ready,
      api: {
        handlers: routes(ctx),
        verifier: principalVerifier(config.PRINCIPAL_JWKS, 'webhooks'),
        idempotency: stores.idempotency,
      },
      checkAnswers: config.NODE_ENV !== 'production',
    });
    base.onStop(() => http.stop(graceMs));
    return { port: http.port, stop: base.stop };
  } catch (error) {
    await base.stop();
    throw error;
  }
}

function openStores({ db }: Base<'webhooks'>, config: WebhooksConfig): Stores {
  return {
    webhooks: createWebhookStore(db),
    partners: createPartnerStore(db),
    events: createEventStore(db),
    deliveries: createDeliveryStore(db),
    erasedUsers: createErasedUserStore(db),
    idempotency: createIdempotency(db, config.CURSOR_KEY),
  };
}

function startSending(
  base: Base<'webhooks'>,
  config: WebhooksConfig,
  { stores, box }: { stores: Stores; box: SecretBox },
  { resolve, times }: Outside,
): Context {
  const { now } = base.clock;
  const random: Random = { bytes: (count) => randomBytes(count), fraction: () => Math.random() };
  const networks = networksFrom({
    denied: config.WEBHOOKS_DENIED_NETWORKS,
    allowed: config.WEBHOOKS_ALLOWED_NETWORKS,
  });
  const allowLoopback = config.WEBHOOKS_ALLOW_LOOPBACK;
  const addresses = createPublicAddresses({ resolve, networks, allowLoopback, now });
  const endpoint = createEndpointClient(addresses, times);
  base.onStop(() => endpoint.stop());
  const { log, clock, db, outbox, bus, ids } = base;
  const sending = { log, clock, db, outbox, config, stores, random, box, endpoint };
  const deliverer = startDeliverer(sending);
  base.onStop(() => deliverer.stop());
  const cursors = createCursors(config.CURSOR_KEY, now);
  return { ...sending, bus, ids, cursors, addresses, deliverer };
}
