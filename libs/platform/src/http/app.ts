import type { Server } from 'node:http';
import { type OperationOf, routesInOrder, type ServiceName } from '@casewatch/contracts';
import type { Meter } from '@opentelemetry/api';
import type { ServerTls } from '../settings/tls-settings.ts';
import type { Idempotency } from '../store/idempotency.ts';
import { type Logger, networkHeader, newContext } from '../telemetry/logger.ts';
import type { PrincipalVerifier } from './callers/principal.ts';
import { createApp } from './express-app.ts';
import type { Handlers } from './handler.ts';
import { createAppServer } from './listener.ts';
import { type AnyHandler, createOperation } from './operation.ts';
import { createRoutes } from './routes.ts';
import { addHealth, type HttpServer, listen } from './server.ts';

type Api<S extends ServiceName> = {
  handlers: Handlers<S>;
  verifier: PrincipalVerifier;
  idempotency: Idempotency | undefined;
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
  const { log, meter, api, tls } = options;
  const app = createApp();
  addHealth(app, options.ready);
  const server = createAppServer(
    {
      log,
      meter,
      app,
      // Only the gateway reaches a service: its headers are trusted, and it adds the security headers.
      contextOf: (req) => newContext(req.get('x-request-id'), req.get('traceparent'), req.get(networkHeader)),
      ...(api && { findRoute: routesOf(options, api) }),
    },
    tls,
  );
  const { host, port, instead } = options;
  return await listen(server, host, port, instead && { instead });
}

function routesOf<S extends ServiceName>(options: Options<S>, { handlers, ...api }: Api<S>) {
  const { service, log, checkAnswers = true } = options;
  const rows = routesInOrder().filter((row) => row.service === service);
  return createRoutes(rows, (row) => {
    const handler = handlers[row.name as OperationOf<S>] as unknown as AnyHandler;
    return createOperation(row, handler, { ...api, log, checkAnswers });
  });
}
