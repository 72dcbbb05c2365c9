import type { Revocation } from '@casewatch/contracts';
import { toApiError } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';

export type Verified<T> = {
  readonly value: T;
  /** Expiry, ms since 1970; null: none. */
  readonly goodUntil: number | null;
  readonly about: readonly Revocation[];
};

export type CredentialCache<T> = {
  /**
   * Returns the cached value, or asks; parallel calls ask once, failures are not cached.
   * `beforeAsking` runs only for an `id` that was never cached: a known caller does not pay for strangers at its address.
   */
  get(id: string, beforeAsking: () => void, ask: () => Promise<Verified<T>>): Promise<T>;
  /** Drops the entries that these revocations end; null: all. */
  forget(changes: readonly Revocation[] | null): void;
};

/** Time that a verified credential stays cached, ms. */
const rememberedForMs = 60_000;
const max = 10_000;

type Entry<T extends object> = {
  readonly value: T;
  readonly about: readonly string[];
  /** ms of `performance.now()` */
  readonly until: number;
};

/** Callers must call `revocations.ensureCurrent()` first. */
export function createCredentialCache<T extends object>(now: () => number): CredentialCache<T> {
  const known = new LRUCache<string, Entry<T>>({ max });
  const asked = new Map<string, Promise<T>>();
  // An answer that was requested before a revocation is not cached.
  let forgotten = 0;

  async function askFor(id: string, ask: () => Promise<Verified<T>>): Promise<T> {
    const before = forgotten;
    const { value, goodUntil, about } = await ask();
    const forMs = Math.min(rememberedForMs, goodUntil === null ? rememberedForMs : goodUntil - now());
    const until = performance.now() + forMs;
    if (forgotten === before) known.set(id, { value, about: about.map(nameOf), until });
    return value;
  }

  return {
    async get(id, beforeAsking, ask) {
      const entry = known.get(id);
      if (entry && entry.until > performance.now()) return entry.value;
      if (!entry) beforeAsking();
      const underWay = asked.get(id);
      if (underWay !== undefined) return await underWay;
      const asking = askFor(id, ask);
      asked.set(id, asking);
      try {
        return await asking;
      } catch (error) {
        if (toApiError(error).status < 500) known.delete(id);
        throw error;
      } finally {
        if (asked.get(id) === asking) asked.delete(id);
      }
    },
    forget(changes) {
      if (changes?.length === 0) return;
      forgotten += 1;
      asked.clear();
      if (changes === null) {
        known.clear();
        return;
      }
      const ended = new Set(changes.map(nameOf));
      for (const [id, { about }] of known.entries()) {
        if (about.some((name) => ended.has(name))) known.delete(id);
      }
    },
  };
}

function nameOf({ kind, id }: Revocation): string {
  return `${kind}/${id}`;
}
