import type { Revocation } from '@casewatch/contracts';
import { toApiError } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';

/** What identity vouched for. */
export type Verified<T> = {
  readonly value: T;
  /** When it ends by itself, ms since 1970; null where it does not. */
  readonly goodUntil: number | null;
  /** Whose revocation ends it. */
  readonly about: readonly Revocation[];
};

export type CredentialCache<T> = {
  /**
   * What is remembered under `id`, or what `ask` answers now; parallel calls ask once, and failures are not remembered.
   * `beforeAsking` may throw; it is not called for an `id` that was vouched for before and is asked for again.
   */
  get(id: string, beforeAsking: () => void, ask: () => Promise<Verified<T>>): Promise<T>;
  /** Drops what is about one of these; everything where it is null. */
  forget(changes: readonly Revocation[] | null): void;
};

/** How long a verified credential is remembered, ms; revocations end it before (revocations.ts). */
const rememberedForMs = 60_000;
/** How many are remembered; beyond, the one not used for longest is asked for again. */
const max = 10_000;

type Entry<T extends object> = {
  readonly value: T;
  readonly about: readonly string[];
  /** Until when it is used without asking, ms of `performance.now()`. */
  readonly until: number;
};

/** Verified credentials, to be used only while revocations are known. @param now ms since 1970 */
export function createCredentialCache<T extends object>(now: () => number): CredentialCache<T> {
  const known = new LRUCache<string, Entry<T>>({ max });
  const asked = new Map<string, Promise<T>>();
  // Grows when something is forgotten: an answer on its way then may be older than that.
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
      // Its caller goes on being served where others at the same address use up the address's limit.
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
