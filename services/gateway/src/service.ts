import { randomUUID } from 'node:crypto';
import type { PartnerPrincipal, ServiceName, UserPrincipal } from '@casewatch/contracts';
import {
  connectBus,
  createLogger,
  listen,
  measureDependencies,
  natsTls,
  principalSigner,
  type RunningService,
  startMetrics,
  systemClock,
} from '@casewatch/platform';
import { createAuthenticator } from './auth/authenticate.ts';
import { createPartnerKeys } from './auth/partner-keys.ts';
import { cachedSigner } from './auth/principals.ts';
import { followRevocations } from './auth/revocations.ts';
import { createTokenKeys } from './auth/token-keys.ts';
import { createTokens } from './auth/tokens.ts';
import { createTrusted } from './auth/trusted.ts';
import { createServiceClient, type ServiceClient } from './clients/service-client.ts';
import type { GatewayConfig } from './config.ts';
import type { Context } from './context.ts';
import { createGatewayApp } from './http/app.ts';
import { createEdgeServer } from './http/edge-server.ts';
import { startLimits } from './limits/limits.ts';
import { limitsPerMinute } from './limits/limits-per-minute.ts';
import { createUnderWay } from './limits/under-way.ts';

/** How long a request under way may take to end when the gateway stops, ms. */
const stopGraceMs = 12_000;

/** Starts the gateway; it holds no state but caches and counts, so any number of replicas may run. */
export async function startGateway(config: GatewayConfig): Promise<RunningService> {
  const log = createLogger('gateway', config.LOG_LEVEL);
  const clock = systemClock;
  const metrics = await startMetrics('gateway', config);
  const bus = await connectBus({
    service: 'gateway',
    url: config.NATS_URL,
    user: config.NATS_USER,
    password: config.NATS_PASSWORD,
    tls: natsTls(config),
    log,
  });
  measureDependencies(metrics.meter, { nats: () => bus.isConnected() });
  const { SERVICES_TLS_CA: ca } = config;
  const services = new Map<ServiceName, ServiceClient>([
    ['identity', createServiceClient(config.IDENTITY_URL, ca)],
    ['cases', createServiceClient(config.CASES_URL, ca)],
    ['webhooks', createServiceClient(config.WEBHOOKS_URL, ca)],
    ['notifier', createServiceClient(config.NOTIFIER_URL, ca)],
  ]);
  const monotonic = () => performance.now();
  const trustedKeys = createTrusted<PartnerPrincipal>(Date.now);
  const trustedTokens = createTrusted<UserPrincipal>(Date.now);
  const revocations = followRevocations({
    bus,
    log,
    now: monotonic,
    forget(changes) {
      trustedKeys.forget(changes);
      trustedTokens.forget(changes);
    },
  });
  const authenticate = createAuthenticator({
    keys: createPartnerKeys(bus, trustedKeys),
    tokens: createTokens({ bus, keys: createTokenKeys(bus, monotonic), trusted: trustedTokens }),
    revocations,
  });
  const limits = startLimits({
    perMinute: limitsPerMinute(config),
    bus,
    replica: randomUUID(),
    now: monotonic,
  });
  const ctx: Context = {
    config,
    log,
    clock,
    bus,
    authenticate,
    revocations,
    limits,
    underWay: createUnderWay(config.RATE_LIMIT_SCALE),
    sign: cachedSigner(principalSigner(config.PRINCIPAL_KEY)),
    services,
  };
  const http = await listen(createEdgeServer(createGatewayApp(ctx), log), config.HOST, config.PORT);
  return {
    port: http.port,
    async stop() {
      await http.stop(stopGraceMs);
      limits.stop();
      revocations.stop();
      await Promise.all([...services.values()].map((client) => client.close()));
      await bus.stop();
      await metrics.stop();
    },
  };
}
