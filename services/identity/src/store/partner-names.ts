/** A name that was changed is shown everywhere after this, ms. */
const keptMs = 60_000;

type Kept = { name: Promise<string | null>; untilMs: number };

/**
 * Partners' names, which stand in most answers and hardly ever change: each is read once in a minute, however many ask.
 * Null for a partner that there is not, and for none.
 */
export function keepNames(
  read: (id: number) => Promise<string | null>,
): (id: number | null) => Promise<string | null> {
  const kept = new Map<number, Kept>();
  return async (id) => {
    if (id === null) return null;
    const nowMs = performance.now();
    const known = kept.get(id);
    if (known && nowMs < known.untilMs) return await known.name;
    const fresh = { name: read(id), untilMs: nowMs + keptMs };
    kept.set(id, fresh);
    try {
      const name = await fresh.name;
      if (name === null) kept.delete(id);
      return name;
    } catch (error) {
      // Only those who waited for it hear of a failure.
      if (kept.get(id) === fresh) kept.delete(id);
      throw error;
    }
  };
}
