import type { Server } from 'node:http';
import { ApiError } from '../errors.ts';
import type { ServerTls } from '../settings/tls-settings.ts';
import { type Logger, newContext } from '../telemetry/logger.ts';
import { createApp } from './express-app.ts';
import { createAppServer } from './listener.ts';
import { probes } from './request-span.ts';
import { securityHeaders } from './security-headers.ts';
import { addHealth, listen } from './server.ts';

type Options = { log: Logger; host: string; port: number; tls?: ServerTls | undefined };

export type EarlyServer = {
  /** Listens already. `listen` gives its port to the server of the service. */
  readonly server: Server;
  stop(): Promise<void>;
};

/**
 * Answers on the port of a service before its dependencies are there: `/livez` with 200, so that the process is not killed while
 * it waits, and everything else with 503. Each answer closes its connection, because later ones are for the service.
 */
export async function startEarlyServer({ log, host, port, tls }: Options): Promise<EarlyServer> {
  const app = createApp();
  addHealth(app, async () => false);
  const server = createAppServer(
    {
      log,
      app,
      contextOf: () => newContext(),
      before(req) {
        if (probes.has(req.path)) return false;
        throw new ApiError('service_unavailable', { detail: 'the service is starting' });
      },
      headers: [...securityHeaders, ['connection', 'close']].flat(),
    },
    tls,
  );
  const { stop } = await listen(server, host, port);
  return { server, stop: () => stop(0) };
}
