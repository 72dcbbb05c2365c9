import type { buildConnector } from 'undici';

/** Only a connection, with TLS if the address has it: no request reaches the service. */
export function tryConnection(
  connect: buildConnector.connector,
  { hostname, host, port, protocol }: URL,
): Promise<void> {
  return new Promise((resolve, reject) => {
    connect({ hostname, host, port, protocol, servername: hostname }, (error, socket) => {
      socket?.destroy();
      if (error) reject(error);
      else resolve();
    });
  });
}
