import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Express, RequestHandler } from 'express';
import helmet from 'helmet';
import type { ServerTls } from '../settings/tls-settings.ts';
import { replaceCertificate } from './tls.ts';

export type HttpServer = { readonly port: number; stop(graceMs: number): Promise<void> };

/** Headers that keep browsers from doing anything with an API's answers; pages set a policy of their own. */
export function securityHeaders(): RequestHandler {
  // default-src does not stand in for the other three (CSP 3, "Fetch directives").
  const directives = {
    defaultSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  };
  return helmet({ contentSecurityPolicy: { useDefaults: false, directives } });
}

/** `/livez`: the event loop turns. `/readyz`: the process can do its work. */
export function addHealth(app: Express, ready: () => Promise<boolean>): void {
  app.get('/livez', (_req, res) => {
    res.json({ live: true });
  });
  app.get('/readyz', async (_req, res) => {
    const isReady = !isDraining && (await ready());
    res.status(isReady ? 200 : 503).json({ ready: isReady });
  });
}

const serving = new Set<Server>();
let isDraining = false;

/**
 * The time between being told to stop and stopping: everything is answered as before, but `/readyz` says no and every
 * answer closes its connection, so that nobody sends into a connection that is just being closed. Resolves when no
 * connection is left, after `ms` at the latest; clients that keep idle connections for less have closed them by then.
 */
export async function drainHttp(ms: number): Promise<void> {
  if (ms === 0) return;
  isDraining = true;
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const open = await Promise.all([...serving].map(countConnections));
    if (open.every((count) => count === 0)) return;
    await delay(50);
  }
}

/** Shows a new certificate on every server of this process that has one. */
export function showCertificate(tls: ServerTls): void {
  for (const server of serving) replaceCertificate(server, tls);
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
}

function closeWhenDraining(_req: IncomingMessage, res: ServerResponse): void {
  if (isDraining) res.setHeader('connection', 'close');
}

/**
 * Listens with time-outs that no slow client can hold open, and stops without dropping a request. With `drains: false`
 * a draining process does not wait for its connections: Prometheus keeps one from scrape to scrape.
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  { drains = true } = {},
): Promise<HttpServer> {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 65_000;
  server.maxHeadersCount = 100;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  if (drains) {
    server.prependListener('request', closeWhenDraining);
    serving.add(server);
  }
  return {
    port: (server.address() as AddressInfo).port,
    async stop(graceMs) {
      serving.delete(server);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection whose request has just ended would otherwise be kept alive for the next one.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const force = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}
