import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** A port on this machine's loopback, and the address that it leads to. */
export type Forward = { port: number; host: string; toPort: number };

/** Reads `4010=sandbox:4010`. @throws Error saying what a forward looks like */
export function forwardOf(text: string): Forward {
  const found = /^(\d{1,5})=([a-z0-9.-]+):(\d{1,5})$/i.exec(text.trim()); // port = host : port
  if (!found?.[2])
    throw new Error('FORWARD must look like 4010=sandbox:4010, several with commas between them.');
  return { port: Number(found[1]), host: found[2], toPort: Number(found[3]) };
}

/** Listens on 127.0.0.1 and passes every connection on, bytes as they are. */
export async function startForward({ port, host, toPort }: Forward): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host, port: toPort, allowHalfOpen: true });
    void Promise.all([pipeline(near, far), pipeline(far, near)]).catch(() => cut(near, far));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** One side is gone or was never there: the other one learns it the same way. */
function cut(...sockets: Socket[]): void {
  for (const socket of sockets) socket.destroy();
}
