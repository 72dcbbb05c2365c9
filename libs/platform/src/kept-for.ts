type Kept<V> = { value: Promise<V>; untilMs: number };

/**
 * Reads each key at most once in `keptMs`, however many ask, also at once. A failure is for those who wait for it alone,
 * and so is a value that is not `worthKeeping`: whoever comes next reads anew.
 */
export function keptFor<K, V>(
  keptMs: number,
  read: (key: K) => Promise<V>,
  worthKeeping: (value: V) => boolean = () => true,
): (key: K) => Promise<V> {
  const kept = new Map<K, Kept<V>>();
  return async (key) => {
    const nowMs = performance.now();
    const known = kept.get(key);
    if (known && nowMs < known.untilMs) return await known.value;
    const fresh = { value: read(key), untilMs: nowMs + keptMs };
    kept.set(key, fresh);
    const forget = () => {
      if (kept.get(key) === fresh) kept.delete(key);
    };
    fresh.value.then((value) => worthKeeping(value) || forget(), forget);
    return await fresh.value;
  };
}
