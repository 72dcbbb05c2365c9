import { createServer } from 'node:net';

/** Below the ports that the system gives to connections (32768 and up), above those of `freePortBase`. */
const lowest = 30_000;
const parts = 8;
export const portsOfPart = 340;

const ownPart = Math.floor(Math.random() * parts);
let next = Math.floor(Math.random() * portsOfPart);

/** The first port of a part. Each worker of the tests has a part: no other one takes a port before the caller listens. */
export function firstPort(worker: number): number {
  return lowest + (worker % parts) * portsOfPart;
}

/** A port that nobody listens on. A connection of another process cannot take it before the caller listens. */
export async function freePort(): Promise<number> {
  // Read here: where jest runs few files in its own process, it sets this after the module is loaded.
  const first = firstPort(Number(process.env.JEST_WORKER_ID ?? ownPart));
  for (;;) {
    const port = first + (next++ % portsOfPart);
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
