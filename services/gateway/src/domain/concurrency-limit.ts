/** Limits concurrent work per id. Further callers wait in order of arrival. */
export type ConcurrencyLimit = {
  /**
   * Resolves with a function that leaves.
   * @throws the error of `refuse` if too many wait; the reason of the signal
   */
  enter(id: string, signal: AbortSignal): Promise<() => void>;
};

type Options = {
  atOnce: number;
  waiting: number;
  refuse: () => Error;
};

type Room = { inProgress: number; readonly waiting: Set<() => void> };

export function createConcurrencyLimit({ atOnce, waiting, refuse }: Options): ConcurrencyLimit {
  const rooms = new Map<string, Room>();

  function roomOf(id: string): Room {
    const existing = rooms.get(id);
    if (existing) return existing;
    const room = { inProgress: 0, waiting: new Set<() => void>() };
    rooms.set(id, room);
    return room;
  }

  function leave(id: string, room: Room): void {
    const [next] = room.waiting;
    if (next) {
      room.waiting.delete(next);
      next();
      return;
    }
    room.inProgress -= 1;
    if (room.inProgress === 0) rooms.delete(id);
  }

  return {
    async enter(id, signal) {
      const room = roomOf(id);
      if (room.inProgress < atOnce) room.inProgress += 1;
      else if (room.waiting.size < waiting) await waitForPlace(room, signal);
      else throw refuse();
      return () => leave(id, room);
    },
  };
}

async function waitForPlace(room: Room, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => {
    room.waiting.delete(resolve);
    reject(signal.reason);
  };
  room.waiting.add(resolve);
  signal.addEventListener('abort', onAbort, { once: true });
  await promise.finally(() => signal.removeEventListener('abort', onAbort));
}
