/** Limits concurrent work per id. Further callers wait in order of arrival. */
export type ConcurrencyLimit = {
  /**
   * Returns or resolves with a function that leaves.
   * @throws the error of `refuse` if too many wait, or after `waitMs`; the reason of the signal
   */
  enter(id: string, wait: Wait): Leave | Promise<Leave>;
};

export type Leave = () => void;

/**
 * `waitMs`: longest wait. Work that begins too late to end in time would only take time from other work. `controller`: its
 * signal is read only if there is no place yet.
 */
export type Wait = { readonly controller: Pick<AbortController, 'signal'>; readonly waitMs: number };

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
    enter(id, wait) {
      const room = roomOf(id);
      const leaveRoom = () => leave(id, room);
      if (room.inProgress < atOnce) {
        room.inProgress += 1;
        return leaveRoom;
      }
      if (room.waiting.size >= waiting) throw refuse();
      return waitForPlace(room, wait, refuse).then(() => leaveRoom);
    },
  };
}

async function waitForPlace(room: Room, { controller, waitMs }: Wait, refuse: () => Error): Promise<void> {
  const { signal } = controller;
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = (reason: Error) => {
    room.waiting.delete(resolve);
    reject(reason);
  };
  const onAbort = () => giveUp(signal.reason);
  const timer = setTimeout(() => giveUp(refuse()), waitMs);
  room.waiting.add(resolve);
  signal.addEventListener('abort', onAbort, { once: true });
  await promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
}
