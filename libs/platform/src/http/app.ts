import type { Server } from 'node:http';
import { type OperationName, type OperationOf, routesInOrder, type ServiceName } from '@casewatch/contracts';
import type { Meter } from '@opentelemetry/api';
import type { Express, Request } from 'express';
import type { AuditLog } from '../audit/record-call.ts';
import type { ServerTls } from '../settings/tls-settings.ts';
import type { Idempotency } from '../store/idempotency.ts';
import { type Logger, networkHeader, newContext } from '../telemetry/logger.ts';
import type { Clock } from '../timing/clock.ts';
import type { PrincipalVerifier } from './callers/principal.ts';
import { createApp } from './create-app.ts';
import type { Handlers } from './handler.ts';
import { type AnyHandler, createOperation } from './operation.ts';
import { createReads, readsPath } from './reads.ts';
import { addOperations } from './routes.ts';
import { addHealth, type HttpServer, listen } from './server.ts';
import { createHttpServer } from './tls.ts';

type Api<S extends ServiceName> = {
  handlers: Handlers<S>;
  /** See Foundation. */
  measured?: () => Promise<void> | undefined;
  verifier: PrincipalVerifier;
  clock: Clock;
  idempotency: Idempotency | undefined;
  audit: AuditLog | undefined;
};

type Options<S extends ServiceName> = {
  service: S;
  log: Logger;
  meter?: Meter;
  host: string;
  port: number;
  /** Has the port until now. */
  instead?: Server;
  tls?: ServerTls | undefined;
  ready: () => Promise<boolean>;
  api?: Api<S>;
  checkAnswers?: boolean;
};

export async function startHttp<S extends ServiceName>(options: Options<S>): Promise<HttpServer> {
  const { log, meter, api, ready, tls, host, port, instead } = options;
  // Only the gateway reaches a service: its headers are trusted, and it adds the security headers.
  const contextOf = (req: Request) =>
    newContext(req.get('x-request-id'), req.get('traceparent'), req.get(networkHeader));
  const app = createApp({ log, meter, contextOf }, (service) => {
    if (api) addApi(service, options, api);
    addHealth(service, ready);
  });
  return await listen(createHttpServer(app, tls), host, port, instead && { instead });
}

function addApi<S extends ServiceName>(
  app: Express,
  options: Options<S>,
  { handlers, ...api }: Api<S>,
): void {
  const { service, log, checkAnswers = true } = options;
  const rows = routesInOrder().filter((row) => row.service === service);
  const handlerOf = (name: OperationName) => handlers[name as OperationOf<S>] as unknown as AnyHandler;
  const shared = { ...api, log, checkAnswers };
  addOperations(app, rows, (row) => createOperation(row, handlerOf(row.name), shared));
  app.post(readsPath, createReads(rows, handlerOf, shared));
}
