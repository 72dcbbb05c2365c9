import type { buildConnector } from 'undici';

type Connector = ReturnType<typeof buildConnector>;

/** Bytes that a socket had received when it failed. */
const bytesRead = new WeakMap<object, number>();

/** undici reports a reset without the counters of the socket. */
export function noteReads(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result;
      socket?.on('error', (error) => bytesRead.set(error, socket.bytesRead));
      callback(...result);
    });
}

/** Whether the connection that failed had been kept after an earlier answer. */
export function wasReused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { socket } = error as { socket?: { bytesRead?: number } };
  return (socket?.bytesRead ?? bytesRead.get(error) ?? 0) > 0;
}
