import type { Server } from 'node:http';
import {
  type EventRow,
  type EventType,
  events,
  type RequestName,
  type ServiceName,
} from '@casewatch/contracts';
import type { AuditLog } from '../audit/record-call.ts';
import type { EventHandlers } from '../events/handle-event.ts';
import { startHttp } from '../http/app.ts';
import { type PrincipalFault, principalVerifier } from '../http/callers/principal.ts';
import { startEarlyServer } from '../http/early-server.ts';
import type { Handlers } from '../http/handler.ts';
import { type HttpServer, listen } from '../http/server.ts';
import { type Environment, readConfig } from '../settings/config.ts';
import { type ServiceSettings, summaryOf } from '../settings/settings-of.ts';
import { type ServerTls, serverTls } from '../settings/tls-settings.ts';
import { createLogger } from '../telemetry/logger.ts';
import { createInstrument } from '../telemetry/metric-table.ts';
import { platformMetrics } from '../telemetry/platform-metrics.ts';
import type { Running } from '../timing/every.ts';
import { createBase } from './base.ts';
import type { Foundation } from './foundation.ts';
import type { Overrides, Service } from './service.ts';

export type RunningService = {
  readonly port: number;
  /** Whether its streams and consumers are declared; once true, it stays true. */
  ready(): Promise<boolean>;
  stop(): Promise<void>;
};

/** Longest wait at the stop for HTTP requests in progress, ms: a live check takes 10 s. */
const graceMs = 12_000;

/** Starts health, database and bus, requests, HTTP, consumers, loops; the stop has the reverse order. @throws ConfigError */
export async function start<O>(
  service: Service<O>,
  env: Environment,
  overrides: Overrides<O> = {} as Overrides<O>,
): Promise<RunningService> {
  const config = readConfig(service.config, env);
  const settings = config as unknown as ServiceSettings;
  const log = createLogger(service.name, settings.LOG_LEVEL);
  log.info({ settings: summaryOf(service.config, config) }, 'settings');
  const place = {
    host: settings.HOST,
    port: settings.PORT,
    tls: settings.PRINCIPAL_JWKS && serverTls(settings),
  };
  const early = await startEarlyServer({ log, ...place });
  const { clock, wallClock, isBeside = false } = overrides;
  const options = { log, isBeside, ...(clock && { clock }), ...(wallClock && { wallClock }) };
  const starting = createBase(service.name, settings, service.database, options);
  const base = await starting.catch(async (error: unknown) => {
    await early.stop();
    throw error;
  });
  const { bus, onStop } = base;
  // Until the service takes the port.
  let stopEarly = early.stop;
  try {
    const ctx = await service.context({ base, config, overrides });
    const background =
      'background' in base && service.inBackground
        ? service.inBackground({ ...ctx, ...base.background })
        : ctx;
    const handlers = handlersOf(service.events, background).map(afterMeasuring(base));
    const isCore = (type: string) => (events[type as EventType] as EventRow).stream === null;
    const durable = Object.fromEntries(handlers.filter(([type]) => !isCore(type))) as EventHandlers;
    if ('applyErasures' in base) await base.applyErasures(durable);
    if ('startPublishing' in base) base.startPublishing();
    for (const [name, handler] of handlersOf(service.requests, ctx).map(afterMeasuring(base)))
      bus.serve(name as RequestName, handler as never);
    for (const [type, handler] of handlers)
      if (isCore(type)) bus.subscribe(type as EventType, handler as never);
    const http = await serve(service, base, {
      ctx,
      settings,
      audit: 'audit' in base ? base.audit : undefined,
      place: { ...place, instead: early.server },
    });
    stopEarly = async () => undefined;
    onStop(() => http.stop(graceMs));
    if ('consume' in base) base.consume(durable, service.eventConcurrency);
    const loops: Running[] = [];
    onStop(async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    });
    for (const startLoop of service.loops) loops.push(startLoop(background, ctx));
    return { port: http.port, ready: base.ready, stop: base.stop };
  } catch (error) {
    await stopEarly();
    await base.stop();
    throw error;
  }
}

type Place = { host: string; port: number; tls: ServerTls | undefined; instead: Server };
type Serving = { ctx: Context; settings: ServiceSettings; audit: AuditLog | undefined; place: Place };
type Context = Awaited<ReturnType<Service['context']>>;
type AnyHandler = (...args: never[]) => Promise<never>;

function handlersOf(table: object, ctx: Context): [string, AnyHandler][] {
  const rows = Object.entries(table) as [string, (ctx: Context) => AnyHandler][];
  return rows.map(([name, create]) => [name, create(ctx)]);
}

/** After a suspension of the machine, nothing is handled before the time is read again. */
function afterMeasuring({ measured }: Pick<Foundation<ServiceName>, 'measured'>) {
  return ([name, handler]: [string, AnyHandler]): [string, AnyHandler] => [
    name,
    async (...args) => {
      await measured();
      return await handler(...args);
    },
  ];
}

async function serve(
  { name, http }: Pick<Service, 'name' | 'http'>,
  {
    log,
    meter,
    ready,
    clock,
    measured,
  }: Pick<Foundation<ServiceName>, 'log' | 'meter' | 'ready' | 'clock' | 'measured'>,
  { ctx, settings, audit, place }: Serving,
): Promise<HttpServer> {
  const { PRINCIPAL_JWKS: jwks } = settings;
  if (typeof http === 'function') return await listen(http(ctx), place.host, place.port, place);
  const handlers = Object.fromEntries(handlersOf(http, ctx)) as unknown as Handlers<ServiceName>;
  const refused = createInstrument(meter, platformMetrics, 'principals.refused');
  const onFault = (reason: PrincipalFault) => {
    refused.add(1);
    log.error({ alarm: 'principal_refused', reason }, 'gateway principal refused');
  };
  return await startHttp({
    service: name,
    log,
    meter,
    ...place,
    ready,
    ...(jwks && {
      api: {
        handlers,
        measured,
        verifier: principalVerifier(jwks, name, { clock, onFault }),
        clock,
        idempotency: ctx.idempotency,
        audit,
      },
    }),
    checkAnswers: settings.NODE_ENV !== 'production',
  });
}
