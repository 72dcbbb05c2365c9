/** A limit of what is under way at once, for each of many ids. */
export type ConcurrencyLimit = {
  /**
   * Resolves when there is room for one more, with what makes its room free again.
   * @throws what `refuse` makes where too many wait already, the signal's reason where it ends the wait
   */
  enter(id: string, signal: AbortSignal): Promise<() => void>;
};

type Options = {
  /** How many of an id are under way at once. */
  atOnce: number;
  /** How many of an id wait, at most. */
  waiting: number;
  refuse: () => Error;
};

type Room = { underWay: number; readonly waiting: Set<() => void> };

/** Lets in what there is room for; the rest waits, first come, first served. Ids with nothing under way cost nothing. */
export function createConcurrencyLimit({ atOnce, waiting, refuse }: Options): ConcurrencyLimit {
  const rooms = new Map<string, Room>();

  function roomOf(id: string): Room {
    const known = rooms.get(id);
    if (known) return known;
    const room = { underWay: 0, waiting: new Set<() => void>() };
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
    room.underWay -= 1;
    if (room.underWay === 0) rooms.delete(id);
  }

  return {
    async enter(id, signal) {
      const room = roomOf(id);
      if (room.underWay < atOnce) room.underWay += 1;
      else if (room.waiting.size < waiting) await turn(room, signal);
      else throw refuse();
      return () => leave(id, room);
    },
  };
}

/** Waits until one that leaves hands its place on. */
async function turn(room: Room, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = () => {
    room.waiting.delete(resolve);
    reject(signal.reason);
  };
  room.waiting.add(resolve);
  signal.addEventListener('abort', giveUp, { once: true });
  await promise.finally(() => signal.removeEventListener('abort', giveUp));
}
