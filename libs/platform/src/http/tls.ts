import { X509Certificate } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Environment, readConfig } from '../settings/config.ts';
import { type ServerTls, serverTls, serverTlsSettings } from '../settings/tls-settings.ts';
import type { Logger } from '../telemetry/logger.ts';
import { minTlsVersion, replaceCertificates } from './server.ts';

/** Longest TLS handshake, ms: longer than the gateway waits. The stop of a server waits for it. */
const handshakeTimeout = 5_000;

export function createHttpServer(app: RequestListener, tls?: ServerTls): Server {
  if (tls === undefined) return createServer(app);
  const options = { ...tls, minVersion: minTlsVersion, handshakeTimeout };
  // The types of https.Server lack what it shares with http.Server.
  return createTlsServer(options, app) as unknown as Server;
}

const settings = z.object(serverTlsSettings);

/** Uses a new certificate without a restart. Compares contents, because Kubernetes replaces a link. Returns the stop. */
export function followCertificate(env: Environment, log: Logger, everyMs = 60_000): () => void {
  let current = serverTls(readConfig(settings, env));
  if (current === undefined) return () => undefined;
  replaceCertificates(current);
  const timer = setInterval(() => {
    try {
      const next = serverTls(readConfig(settings, env));
      if (next === undefined || isDeepStrictEqual(next, current)) return;
      replaceCertificates(next);
      current = next;
      log.info({ valid_to: new X509Certificate(next.cert).validTo }, 'certificate replaced');
    } catch (error) {
      log.error({ err: error }, 'new certificate not usable; keeping the old one');
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
