import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { ServiceName } from '@casewatch/contracts';
import {
  connectBus,
  createLogger,
  listen,
  principalSigner,
  type RunningService,
  systemClock,
} from '@casewatch/platform';
import { createAuthenticator } from './auth/authenticate.ts';
import { createPartnerKeys } from './auth/partner-keys.ts';
import { createTokens } from './auth/tokens.ts';
import { createServiceClient, type ServiceClient } from './clients/service-client.ts';
import type { GatewayConfig } from './config.ts';
import type { Context } from './context.ts';
import { createGatewayApp } from './http/app.ts';
import { startLimits } from './limits/limits.ts';
import { limitsPerMinute } from './limits/limits-per-minute.ts';

/** How long a request under way may take to end when the gateway stops, ms. */
const stopGraceMs = 12_000;

/** Starts the gateway; it holds no state but caches and counts, so any number of replicas may run. */
export async function startGateway(config: GatewayConfig): Promise<RunningService> {
  const log = createLogger('gateway', config.LOG_LEVEL);
  const clock = systemClock;
  const bus = await connectBus({
    service: 'gateway',
    url: config.NATS_URL,
    user: config.NATS_USER,
    password: config.NATS_PASSWORD,
    log,
  });
  const services = new Map<ServiceName, ServiceClient>([
    ['identity', createServiceClient(config.IDENTITY_URL)],
    ['cases', createServiceClient(config.CASES_URL)],
    ['webhooks', createServiceClient(config.WEBHOOKS_URL)],
    ['notifier', createServiceClient(config.NOTIFIER_URL)],
  ]);
  const authenticate = createAuthenticator({
    keys: createPartnerKeys(bus),
    tokens: createTokens(bus, clock),
  });
  const limits = startLimits({
    perMinute: limitsPerMinute(config),
    bus,
    replica: randomUUID(),
    now: () => performance.now(),
  });
  const ctx: Context = {
    config,
    log,
    clock,
    bus,
    authenticate,
    limits,
    sign: principalSigner(config.PRINCIPAL_KEY),
    services,
  };
  const http = await listen(createServer(createGatewayApp(ctx)), config.HOST, config.PORT);
  return {
    port: http.port,
    async stop() {
      await http.stop(stopGraceMs);
      limits.stop();
      await Promise.all([...services.values()].map((client) => client.close()));
      await bus.stop();
    },
  };
}
