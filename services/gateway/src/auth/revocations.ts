import type { EventData, Revocation } from '@casewatch/contracts';
import { ApiError, type Bus, type Logger } from '@casewatch/platform';

/** Longest silence, ms, after which what was heard last is no longer believed (architecture.md §4). */
const silentMs = 1_500;
/** Silence, ms, after which it asks by itself, so that requests need not wait for the answer. */
const quietMs = 1_000;

/** What gateways must know of identity's revocations before they trust what they remember. */
export type Revocations = {
  /**
   * Resolves once everything revoked until 1.5 s ago has been forgotten here: at once where that is known, else when
   * identity has answered.
   * @throws ApiError service_unavailable where that cannot be known
   */
  ensureCurrent(): Promise<void>;
  /** Whether it has ever known. */
  hasBegun(): boolean;
  /** Takes identity's announcement of its revision. */
  receive(announcement: EventData<'revocations.announced'>): void;
  /** Asks identity, without waiting, where the last word is a second old. */
  refresh(): void;
};

type Options = {
  bus: Bus;
  log: Logger;
  /** Milliseconds on a clock that never goes back. */
  now: () => number;
  /** Drops what is remembered of these; of everything where it is null. */
  forget(changes: readonly Revocation[] | null): void;
};

/**
 * Follows the one revision that grows with each revocation. Announcements only say how far identity is: one that differs
 * from what was applied, or none for 1.5 s, makes this ask. So a lost message delays nothing but costs a question.
 */
export function createRevocations({ bus, log, now, forget }: Options): Revocations {
  let applied: number | null = null;
  let knownAt = Number.NEGATIVE_INFINITY;
  let isBehind = false;
  /** The highest that was announced since the question under way was asked. */
  let announced = -1;
  let asking: Promise<void> | undefined;
  let isFailing = false;

  const isCurrent = () => applied !== null && !isBehind && now() - knownAt < silentMs;

  async function catchUp(): Promise<void> {
    const askedAt = now();
    announced = -1;
    const { revision, changes } = await bus.request('identity.revocations', { since: applied });
    forget(changes);
    applied = revision;
    // The answer may be as old as the question.
    knownAt = askedAt;
    isBehind = announced > revision;
  }

  /** One question at a time, however many wait for its answer. */
  function ask(): Promise<void> {
    asking ??= catchUp()
      .then(() => note(false))
      .catch((error: unknown) => {
        note(true, error);
        throw error;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  }

  function note(fails: boolean, error?: unknown): void {
    if (fails !== isFailing) {
      if (fails) log.warn({ err: error }, 'revocations not known: nobody with credentials is let in');
      else log.info({ revision: applied }, 'revocations known');
    }
    isFailing = fails;
  }

  /** Failures are noted, and the next refresh asks again. */
  function askInBackground(): void {
    ask().catch(() => undefined);
  }

  return {
    async ensureCurrent() {
      // The second question is for what was revoked while the first was on its way,
      // and for an answer that was lost: one stall of a busy machine is no reason to let nobody in.
      for (let left = 2; left > 0 && !isCurrent(); left--)
        await ask().catch((error: unknown) => {
          if (left === 1) throw error;
        });
      if (isCurrent()) return;
      throw new ApiError('service_unavailable', { detail: 'revocations not known' });
    },
    hasBegun: () => applied !== null,
    receive({ revision }) {
      if (revision === applied) {
        knownAt = now();
        return;
      }
      isBehind = true;
      announced = Math.max(announced, revision);
      askInBackground();
    },
    refresh() {
      if (!isCurrent() || now() - knownAt > quietMs) askInBackground();
    },
  };
}
