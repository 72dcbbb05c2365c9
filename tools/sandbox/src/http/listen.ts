import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { types } from 'node:util';

/** `url` has no trailing slash; `close` also ends connections that wait for an answer. */
export interface Listener {
  url: string;
  close: () => Promise<void>;
}

/** `port` 0 takes a free port; `name` is for error messages. */
export interface Place {
  host: string;
  port: number;
  name: string;
}

/** With a certificate over TLS. @throws Error that names the stand-in and the address if the port is taken */
export async function listenHttp(
  handler: RequestListener,
  place: Place,
  certificate?: { cert: string; key: string },
): Promise<Listener> {
  // Longer than the keep-alive of any client, so that no client uses a closing connection.
  const options = { keepAliveTimeout: 75_000 };
  const server = certificate
    ? createTlsServer({ ...options, ...certificate }, handler)
    : createServer(options, handler);
  const url = await bind(server, place, certificate ? 'https' : 'http');
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url, close };
}

export async function bind(server: NetServer, { host, port, name }: Place, scheme: string): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (err) {
    const reason = types.isNativeError(err) && 'code' in err ? err.code : err;
    throw new Error(`The ${name} cannot listen on ${host}:${port}: ${String(reason)}`, { cause: err });
  }
  return `${scheme}://${reachable(host)}:${boundPort(server.address())}`;
}

/** A wildcard address is reached over loopback; an IPv6 address needs brackets. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function boundPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server is not bound to a port.');
  return address.port;
}
