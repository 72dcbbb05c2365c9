import { createServer, connect as dial, type Socket } from 'node:net';

export type SlowLink = { url: string; stop(): Promise<void> };

/** A relay on a port of its own before a server: each part of the server's answers arrives `ms` late. */
export async function openSlowLink(serverUrl: string, ms: number): Promise<SlowLink> {
  const { protocol, hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = dial(Number(port), hostname);
    near.pipe(far);
    far.on('data', (chunk) => setTimeout(() => near.writable && near.write(chunk), ms));
    far.on('end', () => setTimeout(() => near.end(), ms));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      // A broken connection breaks the other half too; which error it was does not matter.
      one.on('error', () => other.destroy());
      one.on('close', () => sockets.delete(one));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `${protocol}//127.0.0.1:${address.port}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
