import { createServer, connect as dial, type Socket } from 'node:net';

/** A way to NATS that a test can break, as a network would. */
export type NatsLink = {
  url: string;
  /** From now on nothing arrives at either end, and nobody is told: a frozen server, packets that get lost. */
  freeze(): void;
  /** Connections break, and new ones are refused. */
  cut(): void;
  /** What was held back arrives, and connections are taken again. */
  heal(): void;
  stop(): Promise<void>;
};

/** A relay on a port of its own before the nats-server at `natsUrl`. */
export async function natsLink(natsUrl: string): Promise<NatsLink> {
  const { hostname, port } = new URL(natsUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = dial(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      // A broken connection breaks the other half too; which error it was does not matter.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `nats://127.0.0.1:${address.port}`,
    freeze() {
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    heal() {
      isCut = false;
      // A frozen connection would have to be piped anew: breaking it makes both ends connect again.
      for (const socket of sockets) if (socket.isPaused()) socket.destroy();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
