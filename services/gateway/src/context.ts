import { randomUUID } from 'node:crypto';
import type {
  ConsoleSessionReply,
  PartnerPrincipal,
  Revocation,
  ServiceName,
  UserPrincipal,
} from '@casewatch/contracts';
import {
  type Bus,
  type Clock,
  type ContextInput,
  type Logger,
  type Meter,
  type PrincipalSigner,
  principalSigner,
} from '@casewatch/platform';
import { type Authenticator, createAuthenticator } from './auth/authenticate.ts';
import { type ConsoleSessions, createConsoleSessions } from './auth/console-sessions.ts';
import { createCredentialCache } from './auth/credential-cache.ts';
import { createPartnerKeys } from './auth/partner-keys.ts';
import { createPersonSessions, type PersonSessions } from './auth/person-sessions.ts';
import { cachedSigner } from './auth/principals.ts';
import { createRevocations, type Revocations } from './auth/revocations.ts';
import { createStaffSessions, type StaffSessions } from './auth/staff-sessions.ts';
import { createTokenKeys } from './auth/token-keys.ts';
import { createTokens } from './auth/tokens.ts';
import { createServiceClient, type ServiceClient } from './clients/service-client.ts';
import type { GatewayConfig } from './config.ts';
import { type Connections, createConnections } from './http/connections.ts';
import { type BodyBudget, createBodyBudget } from './limits/body-budget.ts';
import {
  type CallerConcurrency,
  createCallerConcurrency,
  mostRequests,
} from './limits/caller-concurrency.ts';
import { createLimits, type Limits } from './limits/limits.ts';
import { createRefusals, type Refusals } from './limits/refusals.ts';

/** Only caches and counters: any number of replicas can run. */
export type Context = {
  readonly config: GatewayConfig;
  readonly log: Logger;
  /** Identity's time. */
  readonly clock: Clock;
  readonly meter: Meter;
  readonly bus: Bus;
  readonly authenticate: Authenticator;
  readonly consoles: ConsoleSessions;
  readonly staff: StaffSessions;
  readonly people: PersonSessions;
  readonly revocations: Revocations;
  readonly limits: Limits;
  readonly refusals: Refusals;
  readonly concurrency: CallerConcurrency;
  readonly bodies: BodyBudget;
  readonly connections: Connections;
  readonly sign: PrincipalSigner;
  readonly services: ReadonlyMap<ServiceName, ServiceClient>;
};

const monotonic = () => performance.now();

type Options = ContextInput<'gateway', GatewayConfig, null>;

export function createContext({ base, config }: Options): Context {
  const { log, meter, bus, clock, followedClock } = base;
  const nowMs = () => clock.now().getTime();
  const keyCache = createCredentialCache<PartnerPrincipal>(nowMs);
  const tokenCache = createCredentialCache<UserPrincipal>(nowMs);
  const consoleCache = createCredentialCache<ConsoleSessionReply>(nowMs);
  const forget = (changes: readonly Revocation[] | null) => {
    keyCache.forget(changes);
    tokenCache.forget(changes);
    consoleCache.forget(changes);
  };
  const revocations = createRevocations({ bus, log, now: monotonic, clock: followedClock, forget });
  const tokens = createTokens({ bus, clock, keys: createTokenKeys(bus, monotonic), cache: tokenCache });
  const refusals = createRefusals({ bus, clock, log });
  base.onStop(refusals.stop);
  return {
    config,
    log,
    clock,
    meter,
    bus,
    authenticate: createAuthenticator({
      keys: createPartnerKeys(bus, keyCache),
      tokens,
      revocations,
    }),
    consoles: createConsoleSessions({ bus, clock, cache: consoleCache, revocations }),
    staff: createStaffSessions({ bus, clock, cache: consoleCache, revocations }),
    people: createPersonSessions({ bus, tokens, revocations }),
    revocations,
    limits: createLimits({ config, bus, replica: randomUUID(), now: monotonic }),
    refusals,
    concurrency: createCallerConcurrency(config.RATE_LIMIT_SCALE),
    bodies: createBodyBudget(config.MAX_BODY_MEMORY_MB * 1024 * 1024, mostRequests(config.RATE_LIMIT_SCALE)),
    connections: createConnections({
      log,
      max: config.MAX_CONNECTIONS,
      isDirect: config.TRUSTED_HOPS === 0,
    }),
    sign: cachedSigner(principalSigner(config.PRINCIPAL_KEY, clock), clock),
    services: connectServices({ base, config }),
  };
}

function connectServices({ base, config }: Pick<Options, 'base' | 'config'>): Context['services'] {
  const connect = (url: string) => {
    const client = createServiceClient(url, config.SERVICES_TLS_CA);
    base.onStop(client.close);
    return client;
  };
  return new Map<ServiceName, ServiceClient>([
    ['identity', connect(config.IDENTITY_URL)],
    ['cases', connect(config.CASES_URL)],
    ['webhooks', connect(config.WEBHOOKS_URL)],
    ['notifier', connect(config.NOTIFIER_URL)],
  ]);
}
