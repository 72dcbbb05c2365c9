import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as TlsServer } from 'node:tls';
import type { ServerTls } from '../settings/tls-settings.ts';

/** Both ends are ours, and probes of Kubernetes speak it too. */
const minVersion = 'TLSv1.3';

/** Longest wait for the end of a handshake, ms: longer than the gateway waits. Stopping waits for it too. */
const handshakeTimeout = 5_000;

/** A server for HTTP; with a certificate over TLS alone. */
export function createHttpServer(app: RequestListener, tls: ServerTls | undefined): Server {
  // The types know an https.Server as a tls.Server only; it has what an http.Server has.
  return tls === undefined
    ? createServer(app)
    : (createTlsServer({ ...tls, minVersion, handshakeTimeout }, app) as unknown as Server);
}

/** Shows a new certificate to connections from now on; those that are there go on. */
export function replaceCertificate(server: Server, tls: ServerTls): void {
  if ((server as unknown) instanceof TlsServer)
    (server as unknown as TlsServer).setSecureContext({ ...tls, minVersion });
}
