import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** A port on this machine's loopback and its target. */
export type Forward = { port: number; host: string; toPort: number };

/** Reads `4010=sandbox:4010`. @throws Error with the expected form */
export function forwardOf(text: string): Forward {
  const match = /^(\d{1,5})=([a-z0-9.-]+):(\d{1,5})$/i.exec(text.trim()); // port = host : port
  if (!match?.[2])
    throw new Error('FORWARD must look like 4010=sandbox:4010, several with commas between them.');
  return { port: Number(match[1]), host: match[2], toPort: Number(match[3]) };
}

/** Listens on 127.0.0.1 and forwards every connection unchanged. */
export async function startForward({ port, host, toPort }: Forward): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host, port: toPort, allowHalfOpen: true });
    void Promise.all([pipeline(near, far), pipeline(far, near)]).catch(() => {
      near.destroy();
      far.destroy();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
