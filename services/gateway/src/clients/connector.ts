import { buildConnector } from 'undici';
import { createLookup } from './lookup.ts';

/** Longest wait for a TCP connection, ms: the kernel answers it, so what does not answer is not there. */
const connectMs = 1_000;
/** Longest wait for a TLS handshake, ms: the process answers it, which may be busy. */
const handshakeMs = 4_000;

/**
 * Connects to services. At an https:// address the service shows a certificate for the name there, of an authority in `ca`
 * (PEM) and of no other; without it of the system's.
 */
export function createConnector(ca?: string): buildConnector.connector {
  const reach = buildConnector({ timeout: connectMs, lookup: createLookup() });
  const secure = buildConnector({ timeout: handshakeMs, allowH2: false, ...(ca !== undefined && { ca }) });
  return (options, callback) => {
    if (options.protocol !== 'https:') {
      reach(options, callback);
      return;
    }
    reach({ ...options, protocol: 'http:', port: options.port || '443' }, (error, socket) => {
      if (error) callback(error, null);
      else secure({ ...options, httpSocket: socket }, callback);
    });
  };
}
