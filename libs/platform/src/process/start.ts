import {
  type EventRow,
  type EventType,
  events,
  type RequestName,
  type ServiceName,
} from '@casewatch/contracts';
import type { z } from 'zod';
import type { EventHandlers } from '../events/handle-event.ts';
import { startHttp } from '../http/app.ts';
import { principalVerifier } from '../http/callers/principal.ts';
import type { Handlers } from '../http/handler.ts';
import { type HttpServer, listen } from '../http/server.ts';
import { type Environment, readConfig } from '../settings/config.ts';
import { type ServiceSettings, summaryOf } from '../settings/service-settings.ts';
import { serverTls } from '../settings/tls-settings.ts';
import type { Database } from '../store/migrate.ts';
import type { Running } from '../timing/running.ts';
import { createBase, type Foundation } from './base.ts';
import type { Overrides, Service, WithIdempotency } from './service.ts';

/** A service that runs until it is stopped. */
export type RunningService = {
  /** Where its HTTP side listens. */
  readonly port: number;
  /** Finishes what is under way, then closes everything. */
  stop(): Promise<void>;
};

/** Longest wait for requests under way when stopping, ms: a live check takes 10 s. */
const graceMs = 12_000;

/**
 * Starts a service: database, bus, requests, HTTP, consumers, loops, in this order; they stop in the reverse order. After a
 * start that fails everything is closed again.
 * @throws ConfigError naming every wrong setting; whatever the service's own parts throw
 */
export async function start<
  S extends ServiceName,
  Z extends z.ZodObject,
  D extends Database | null,
  X extends WithIdempotency,
  O,
>(
  service: Service<S, Z, D, X, O>,
  env: Environment,
  overrides: Overrides<O> = {} as Overrides<O>,
): Promise<RunningService> {
  const config = readConfig(service.config, env);
  const settings = config as unknown as ServiceSettings;
  const base = await createBase(service.name, settings, service.database, overrides.clock);
  const { bus, log, onStop } = base;
  try {
    log.info({ settings: summaryOf(service.config, config) }, 'settings');
    const ctx = await service.context({ base, config, overrides });
    if ('startPublishing' in base) base.startPublishing();
    for (const [name, handler] of handlersOf(service.requests, ctx))
      bus.serve(name as RequestName, handler as never);
    const { core, durable } = split(handlersOf(service.events, ctx));
    for (const [type, handler] of core) bus.subscribe(type, handler as never);
    const http = await serve(service, base, { ctx, settings });
    onStop(() => http.stop(graceMs));
    if ('consume' in base) base.consume(Object.fromEntries(durable) as EventHandlers);
    const loops: Running[] = [];
    onStop(async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    });
    for (const loop of service.loops) loops.push(loop(ctx));
    return { port: http.port, stop: base.stop };
  } catch (error) {
    await base.stop();
    throw error;
  }
}

type AnyHandler = (...args: never[]) => Promise<never>;

/** The handlers of a table, each with its context. */
function handlersOf<X>(table: object, ctx: X): [string, AnyHandler][] {
  const rows = Object.entries(table) as [string, (ctx: X) => AnyHandler][];
  return rows.map(([name, create]) => [name, create(ctx)]);
}

/** Core events come as messages, durable ones through a consumer. */
function split(handlers: [string, AnyHandler][]) {
  const isCore = ([type]: [string, AnyHandler]) => (events[type as EventType] as EventRow).stream === null;
  return {
    core: handlers.filter(isCore) as [EventType, AnyHandler][],
    durable: handlers.filter((row) => !isCore(row)),
  };
}

async function serve<S extends ServiceName, X extends WithIdempotency>(
  { name, http }: Pick<Service<S, z.ZodObject, Database | null, X, object>, 'name' | 'http'>,
  { log, ready }: Pick<Foundation<S>, 'log' | 'ready'>,
  { ctx, settings }: { ctx: X; settings: ServiceSettings },
): Promise<HttpServer> {
  const { HOST: host, PORT: port, PRINCIPAL_JWKS: jwks } = settings;
  if (typeof http === 'function') return await listen(http(ctx), host, port);
  const handlers = Object.fromEntries(handlersOf(http, ctx)) as unknown as Handlers<S>;
  return await startHttp({
    service: name,
    log,
    host,
    port,
    tls: jwks && serverTls(settings),
    ready,
    ...(jwks && { api: { handlers, verifier: principalVerifier(jwks, name), idempotency: ctx.idempotency } }),
    checkAnswers: settings.NODE_ENV !== 'production',
  });
}
