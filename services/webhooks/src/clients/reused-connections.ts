import type { buildConnector, Dispatcher } from 'undici';

type Connector = ReturnType<typeof buildConnector>;

/** `opaque` of one request; `hasAnswer` after the first byte of an answer. */
export type Progress = { hasAnswer: boolean };

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

export const noteAnswers: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const progress = 'opaque' in options ? (options.opaque as Progress) : { hasAnswer: false };
  const onResponseStarted = () => {
    progress.hasAnswer = true;
  };
  return dispatch(options, Object.assign(handler, { onResponseStarted }));
};

/** Whether the other side closed a connection that was kept after an earlier answer, before a byte of this answer. */
export function wasClosedBefore(error: unknown, { hasAnswer }: Progress): boolean {
  // Without `instanceof`: realms differ in tests.
  if (hasAnswer || typeof error !== 'object' || error === null) return false;
  const { socket } = error as { socket?: { bytesRead?: number } };
  return (socket?.bytesRead ?? bytesRead.get(error) ?? 0) > 0;
}
