import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import type { Express } from 'express';
import type { ServerTls } from '../settings/tls-settings.ts';

export type HttpServer = { readonly port: number; stop(graceMs: number): Promise<void> };

/** `/livez`: the event loop runs. `/readyz`: the process accepts requests. */
export function addHealth(app: Express, ready: () => Promise<boolean>): void {
  app.get('/livez', (_req, res) => {
    res.json({ live: true });
  });
  app.get('/readyz', async (_req, res) => {
    const isReady = !isDraining && (await ready()) && (await areOthersReady());
    res.status(isReady ? 200 : 503).json({ ready: isReady });
  });
}

const servers = new Set<Server>();
let isDraining = false;
let areOthersReady = async () => true;

/** For a process with several services: `/readyz` of each asks this too, so that it means all of them. */
export function readyTogether(areAllReady: () => Promise<boolean>): void {
  areOthersReady = areAllReady;
}

/**
 * Drains the process before its stop: `/readyz` answers 503 and each response closes its connection. Resolves without open
 * connections, at the latest after `ms`.
 */
export async function drainHttp(ms: number): Promise<void> {
  if (ms === 0) return;
  isDraining = true;
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const open = await Promise.all([...servers].map(countConnections));
    if (open.every((count) => count === 0)) return;
    await delay(50);
  }
}

export const minTlsVersion = 'TLSv1.3' as const;

export function replaceCertificates(tls: ServerTls): void {
  for (const server of servers as Set<unknown>)
    if (server instanceof TlsServer) server.setSecureContext({ ...tls, minVersion: minTlsVersion });
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
}

/** Connections that wait to be accepted: in a flood Node's 511 are too few, and a lost one is tried again only after a second. */
const backlog = 1_024;

/** Connections at a time, for a service that only the gateway and probes reach. The gateway has bounds of its own. */
const maxConnections = 1_000;

/**
 * `drains: false`: draining does not wait for this server, because Prometheus keeps a connection open. `instead`: a server that
 * listens on this port; it gives its socket to this one and gets no more connections.
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  { drains = true, instead }: { drains?: boolean; instead?: Server } = {},
): Promise<HttpServer> {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 65_000;
  server.maxHeadersCount = 100;
  server.maxConnections ??= maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if (instead) server.listen(instead, resolve);
    else server.listen({ port, host, backlog }, resolve);
  });
  if (instead) servers.delete(instead);
  if (drains) {
    server.prependListener('request', (_req: IncomingMessage, res: ServerResponse) => {
      if (isDraining) res.setHeader('connection', 'close');
    });
    servers.add(server);
  }
  return {
    port: (server.address() as AddressInfo).port,
    async stop(graceMs) {
      servers.delete(server);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Without this a connection stays open after its request.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const force = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}
