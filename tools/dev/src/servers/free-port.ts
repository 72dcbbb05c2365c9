import { createServer } from 'node:net';

/** Below the ports that the system gives to connections (32768 and up), above those of `freePortBase`. */
const range = { first: 30_000, count: 2_700 };

let next = Math.floor(Math.random() * range.count);

/** A port that nobody listens on. A connection of another process cannot take it before the caller listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = range.first + (next++ % range.count);
    if (await isFree(port)) return port;
  }
}

/** Whether one can listen on this port of 127.0.0.1. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
