import { types } from 'node:util';

/** One JSON line on stderr with the message alone, never a client's data. */
export function logError(err: unknown): void {
  const message = types.isNativeError(err) ? err.message : 'unknown fault';
  process.stderr.write(`${JSON.stringify({ level: 'error', name: 'sandbox', message })}\n`);
}
