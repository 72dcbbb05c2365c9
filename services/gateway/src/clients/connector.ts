import { buildConnector } from 'undici';
import { createLookup } from './lookup.ts';

/** Timeout of a TCP connection, ms: the kernel answers. */
const connectMs = 1_000;
/** Timeout of a TLS handshake, ms: the process answers and can be busy. */
const handshakeMs = 4_000;

/** TCP and TLS have separate timeouts. @param ca PEM; default: authorities of the system */
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
