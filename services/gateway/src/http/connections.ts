import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, type Logger, networkOf } from '@casewatch/platform';
import { rawAnswer } from './raw-answer.ts';

/** All connections, as a multiple of MAX_CONNECTIONS: of those with work, limits of callers and services are the bound. */
const timesAtMost = 2;
/** Shortest interval of log messages about closed connections, ms. */
const logMs = 10_000;

export type Connections = {
  watch(server: Server): void;
  /** `giveUp` runs if the place of this request, which waits for its client, is needed. Returns the end of that. */
  waitsForClient(req: IncomingMessage, giveUp: (error: ApiError) => void): () => void;
};

type Options = {
  readonly log: Logger;
  readonly max: number;
  /** Whether connections come from the clients themselves, not from a proxy. */
  readonly isDirect: boolean;
};

/**
 * Bounds the connections for which nothing is under way. Too many are closed in this order: the response was sent before the
 * request had ended; there is no request yet; between two requests; the request has no credentials, and its body is not
 * complete. Of one address, half as many are too many, so that it does not take the places of others.
 */
export function createConnections({ log, max, isDirect }: Options): Connections {
  const networks = new Map<Socket, string>();
  const byNetwork = new Map<string, number>();
  const answered = new Set<Socket>();
  const fresh = new Set<Socket>();
  const idle = new Set<Socket>();
  const waiting = new Map<Socket, (error: ApiError) => void>();
  let isDue = false;
  let closed = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  function forget(socket: Socket): void {
    answered.delete(socket);
    fresh.delete(socket);
    idle.delete(socket);
    waiting.delete(socket);
  }

  function close(socket: Socket): void {
    // A client between two requests would take it for the response to its next one.
    const isFirst = fresh.has(socket);
    forget(socket);
    closed += 1;
    if (isFirst) socket.end(rawAnswer(tooManyConnections()), () => socket.destroy());
    else socket.destroy();
  }

  /** Returns whether one was found. @param network only its connections */
  function closeOne(network?: string): boolean {
    const find = (sockets: Iterable<Socket>) => {
      for (const socket of sockets)
        if (network === undefined || networks.get(socket) === network) return socket;
      return undefined;
    };
    const unneeded = find(answered) ?? find(fresh) ?? find(idle);
    if (unneeded !== undefined) {
      close(unneeded);
      return true;
    }
    const slow = find(waiting.keys());
    const giveUp = slow && waiting.get(slow);
    if (slow) waiting.delete(slow);
    giveUp?.(tooManyConnections());
    return giveUp !== undefined;
  }

  function closeTooMany(): void {
    isDue = false;
    let tooMany = networks.size - max;
    if (isDirect)
      for (const [network, count] of byNetwork) {
        for (let beyond = count - max / 2; beyond > 0 && closeOne(network); beyond -= 1) tooMany -= 1;
      }
    while (tooMany > 0 && closeOne()) tooMany -= 1;
    if (closed === 0 || performance.now() - loggedAt < logMs) return;
    log.warn({ closed, open: networks.size }, 'too many connections; closed idle ones');
    closed = 0;
    loggedAt = performance.now();
  }

  function onClose(socket: Socket): void {
    forget(socket);
    const network = networks.get(socket) ?? '';
    networks.delete(socket);
    const left = (byNetwork.get(network) ?? 0) - 1;
    if (left > 0) byNetwork.set(network, left);
    else byNetwork.delete(network);
  }

  function onConnection(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '');
    const ofNetwork = (byNetwork.get(network) ?? 0) + 1;
    networks.set(socket, network);
    byNetwork.set(network, ofNetwork);
    fresh.add(socket);
    socket.once('close', () => onClose(socket));
    if (isDue || (networks.size <= max && (!isDirect || ofNetwork <= max / 2))) return;
    isDue = true;
    // After two turns of the event loop, requests that came with their connection have been read.
    setImmediate(() => setImmediate(closeTooMany));
  }

  function onRequest(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    const becomeIdle = () => {
      answered.delete(socket);
      if (networks.has(socket)) idle.add(socket);
    };
    forget(socket);
    res.once('finish', () => {
      if (req.complete) return;
      answered.add(socket);
      req.once('end', becomeIdle);
    });
    res.once('close', () => {
      if (!answered.has(socket)) becomeIdle();
    });
  }

  return {
    watch(server) {
      server.maxConnections = max * timesAtMost;
      server.on('connection', onConnection);
      server.on('request', onRequest);
    },
    waitsForClient({ socket }, giveUp) {
      waiting.set(socket, giveUp);
      return () => {
        waiting.delete(socket);
      };
    },
  };
}

function tooManyConnections(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'There are too many connections at the moment; try again later.',
    retryAfterS: 1,
    headers: { connection: 'close' },
  });
}
