import { connect, createServer, type Socket } from 'node:net';

/** A TCP relay on a port of its own. With several targets it is a round robin that passes over a target which refuses. */
export interface Link {
  /** Ends all connections and refuses new ones. @returns the number of ended connections */
  cut(): number;
  /** Holds all bytes back and keeps the connections, as a network that drops packets. @returns the number of held connections */
  freeze(): number;
  /** Each piece of data waits this long. */
  slow(delayMs: number): void;
  /** Shows each piece of data from a client after it was sent on, with the port of the client. Null: no longer. */
  watch(see: ((piece: Buffer, clientPort: number) => void) | null): void;
  /** Ends the fault. Held bytes go on. */
  heal(): void;
  /** Pieces of data that came from clients since the start. */
  pieces(): number;
  connections(): number;
  stop(): Promise<void>;
}

export interface LinkTarget {
  host: string;
  port: number;
}

type Mode = { kind: 'open' | 'cut' | 'frozen'; delayMs: number };

/** @throws the error of the operating system if the port is taken */
export async function startLink(at: LinkTarget, targets: readonly LinkTarget[]): Promise<Link> {
  const sockets = new Set<Socket>();
  /** Those with data on its way: what comes next must not overtake it. */
  const busy = new Set<Socket>();
  const mode: Mode = { kind: 'open', delayMs: 0 };
  let turn = 0;
  let pieces = 0;
  let watcher: ((piece: Buffer, clientPort: number) => void) | null = null;

  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      busy.delete(socket);
    });
    // 'close' follows, and ends the other half; which error it was does not matter.
    socket.on('error', () => {});
  };
  const relay = (from: Socket, to: Socket, came = () => {}, sent = (_piece: Buffer) => {}): void => {
    const resume = (): void => {
      busy.delete(from);
      if (mode.kind === 'open') from.resume();
    };
    const pass = (chunk: Buffer): void => {
      if (to.write(chunk)) resume();
      else to.once('drain', resume);
      sent(chunk);
    };
    from.on('data', (chunk: Buffer) => {
      came();
      from.pause();
      busy.add(from);
      if (mode.delayMs > 0) setTimeout(() => pass(chunk), mode.delayMs);
      else pass(chunk);
    });
    from.on('end', () => to.end());
    from.on('close', () => to.destroy());
    // The server's sockets begin paused.
    if (mode.kind === 'frozen') from.pause();
    else from.resume();
  };
  const dial = (near: Socket, left: number): void => {
    const target = targets[turn++ % targets.length];
    if (target === undefined || left === 0) {
      near.destroy();
      return;
    }
    const far = connect(target);
    far.setNoDelay();
    const next = (): void => dial(near, left - 1);
    far.once('error', next);
    far.once('connect', () => {
      far.off('error', next);
      if (near.destroyed || mode.kind === 'cut') {
        far.destroy();
        near.destroy();
        return;
      }
      keep(far);
      const clientPort = near.remotePort ?? 0;
      relay(
        near,
        far,
        () => pieces++,
        (piece) => watcher?.(piece, clientPort),
      );
      relay(far, near);
    });
  };

  const server = createServer({ noDelay: true, pauseOnConnect: true }, (near) => {
    if (mode.kind === 'cut') {
      near.resetAndDestroy();
      return;
    }
    keep(near);
    dial(near, targets.length);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, resolve);
  });

  const endAll = (): number => {
    const ended = sockets.size;
    for (const socket of sockets) socket.destroy();
    return ended;
  };
  return {
    cut() {
      mode.kind = 'cut';
      return endAll();
    },
    freeze() {
      mode.kind = 'frozen';
      for (const socket of sockets) socket.pause();
      return sockets.size;
    },
    slow(delayMs) {
      mode.delayMs = delayMs;
    },
    watch(see) {
      watcher = see;
    },
    heal() {
      Object.assign(mode, { kind: 'open', delayMs: 0 });
      for (const socket of sockets) if (!busy.has(socket)) socket.resume();
    },
    pieces: () => pieces,
    connections: () => sockets.size,
    async stop() {
      mode.kind = 'cut';
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      endAll();
      await closed;
    },
  };
}
