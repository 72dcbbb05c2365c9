import type { Server } from 'node:http';
import { ApiError } from '../errors.ts';
import type { ServerTls } from '../settings/tls-settings.ts';
import { type Logger, newContext } from '../telemetry/logger.ts';
import { createApp } from './create-app.ts';
import { securityHeaders } from './security-headers.ts';
import { addHealth, listen } from './server.ts';
import { createHttpServer } from './tls.ts';

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
  const headers = { ...securityHeaders, connection: 'close' };
  const app = createApp({ log, contextOf: () => newContext(), headers }, (early) => {
    addHealth(early, async () => false);
    early.use(() => {
      throw new ApiError('service_unavailable', { detail: 'the service is starting' });
    });
  });
  const server = createHttpServer(app, tls);
  const { stop } = await listen(server, host, port);
  return { server, stop: () => stop(0) };
}
