/**
 * Runs works of the same key one after the other, in this process. Transactions that write the same document conflict, and all but
 * one are tried again; in turn they are not. Those of other replicas still conflict.
 */
export function createTurns<K>(): <T>(key: K, work: () => Promise<T>) => Promise<T> {
  const last = new Map<K, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work);
    // A work that fails ends its turn too.
    const ended = mine.catch(() => undefined);
    last.set(key, ended);
    try {
      return await mine;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
