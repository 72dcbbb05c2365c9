import { types } from 'node:util';

/** One JSON line on stderr for a fault of the stand-in itself; the error's message only, never what a client sent. */
export function complain(err: unknown): void {
  const message = types.isNativeError(err) ? err.message : 'unknown fault';
  process.stderr.write(`${JSON.stringify({ level: 'error', name: 'sandbox', message })}\n`);
}
