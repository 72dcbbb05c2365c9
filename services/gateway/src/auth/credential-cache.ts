import type { Revocation } from '@casewatch/contracts';
import { toApiError } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';

export type Verified<T> = {
  readonly value: T;
  /** Expiry, ms since 1970; null: none. */
  readonly goodUntil: number | null;
  readonly revokedBy: readonly Revocation[];
};

export type CredentialCache<T> = {
  /**
   * Returns the cached value, or asks; parallel calls ask once, failures are not cached.
   * `beforeAsking` runs only for an `id` that was never cached: a known caller does not pay for strangers at its address.
   */
  get(id: string, beforeAsking: () => void, ask: () => Promise<Verified<T>>): T | Promise<T>;
  /** Drops the entries that these revocations end; null: all. */
  forget(changes: readonly Revocation[] | null): void;
};

/** Time that a verified credential stays cached, ms. */
const rememberedForMs = 60_000;
const max = 10_000;

type Entry<T extends object> = {
  readonly value: T;
  readonly revokedBy: readonly string[];
  /** ms of `performance.now()` */
  readonly until: number;
};

/** Callers must call `revocations.ensureCurrent()` first. */
export function createCredentialCache<T extends object>(now: () => number): CredentialCache<T> {
  const entries = new LRUCache<string, Entry<T>>({ max });
  const inProgress = new Map<string, Promise<T>>();
  // An answer that was requested before a revocation is not cached.
  let forgotten = 0;

  async function askFor(id: string, ask: () => Promise<Verified<T>>): Promise<T> {
    const before = forgotten;
    const { value, goodUntil, revokedBy } = await ask();
    const forMs = Math.min(rememberedForMs, goodUntil === null ? rememberedForMs : goodUntil - now());
    const until = performance.now() + forMs;
    if (forgotten === before) entries.set(id, { value, revokedBy: revokedBy.map(nameOf), until });
    return value;
  }

  async function askOnce(id: string, ask: () => Promise<Verified<T>>): Promise<T> {
    const sharedAnswer = inProgress.get(id);
    if (sharedAnswer !== undefined) return await sharedAnswer;
    const answer = askFor(id, ask);
    inProgress.set(id, answer);
    try {
      return await answer;
    } catch (error) {
      if (toApiError(error).status < 500) entries.delete(id);
      throw error;
    } finally {
      if (inProgress.get(id) === answer) inProgress.delete(id);
    }
  }

  return {
    get(id, beforeAsking, ask) {
      const entry = entries.get(id);
      if (entry && entry.until > performance.now()) return entry.value;
      if (!entry && !inProgress.has(id)) beforeAsking();
      return askOnce(id, ask);
    },
    forget(changes) {
      if (changes?.length === 0) return;
      forgotten += 1;
      inProgress.clear();
      if (changes === null) {
        entries.clear();
        return;
      }
      const revoked = new Set(changes.map(nameOf));
      for (const [id, { revokedBy }] of entries.entries()) {
        if (revokedBy.some((name) => revoked.has(name))) entries.delete(id);
      }
    },
  };
}

function nameOf({ kind, id }: Revocation): string {
  return `${kind}/${id}`;
}
