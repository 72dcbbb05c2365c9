import type { EventData, Revocation } from '@casewatch/contracts';
import { ApiError, type Bus, type Logger } from '@casewatch/platform';

/** Maximum age of the last known revision, ms (architecture.md §4). */
const maxAgeMs = 1_500;
/** Age after which a request makes the gateway ask in the background, ms: an announcement, one a second, was missed. */
const refreshAgeMs = 1_250;

export type Revocations = {
  /**
   * Returns or resolves when every revocation older than 1.5 s has been applied.
   * @throws ApiError service_unavailable if identity does not answer
   */
  ensureCurrent(): void | Promise<void>;
  hasBegun(): boolean;
  onAnnounced(announcement: EventData<'revocations.announced'>): void;
};

type Options = {
  bus: Bus;
  log: Logger;
  now: () => number;
  forget(changes: readonly Revocation[] | null): void;
};

/** A different revision in an announcement, or silence, makes the gateway ask for the changes (docs/adr/0011). */
export function createRevocations({ bus, log, now, forget }: Options): Revocations {
  let applied: number | null = null;
  let knownAt = Number.NEGATIVE_INFINITY;
  let isBehind = false;
  /** Highest revision announced since the current question was sent. */
  let announced = -1;
  let fetching: Promise<void> | undefined;
  let isFailing = false;

  const isCurrent = () => applied !== null && !isBehind && now() - knownAt < maxAgeMs;

  async function fetchChanges(): Promise<void> {
    const askedAt = now();
    announced = -1;
    const { revision, changes } = await bus.request('identity.revocations', { since: applied });
    forget(changes);
    applied = revision;
    knownAt = askedAt;
    isBehind = announced > revision;
  }

  function ask(): Promise<void> {
    fetching ??= fetchChanges()
      .then(() => logTransition(false))
      .catch((error: unknown) => {
        logTransition(true, error);
        throw error;
      })
      .finally(() => {
        fetching = undefined;
      });
    return fetching;
  }

  function logTransition(fails: boolean, error?: unknown): void {
    if (fails !== isFailing) {
      if (fails) log.warn({ err: error }, 'revocations not loaded; refusing requests with credentials');
      else log.info({ revision: applied }, 'revocations loaded again');
    }
    isFailing = fails;
  }

  /** `ask` logs failures; the next request asks again. */
  function askInBackground(): void {
    ask().catch(() => undefined);
  }

  async function catchUp(): Promise<void> {
    // The first answer can predate a revocation, or get lost on a busy machine.
    for (let triesLeft = 2; triesLeft > 0 && !isCurrent(); triesLeft--)
      await ask().catch((error: unknown) => {
        if (triesLeft === 1) throw error;
      });
    if (isCurrent()) return;
    throw new ApiError('service_unavailable', { detail: 'revocations not known' });
  }

  return {
    ensureCurrent() {
      if (!isCurrent()) return catchUp();
      if (now() - knownAt > refreshAgeMs) askInBackground();
    },
    hasBegun: () => applied !== null,
    onAnnounced({ revision }) {
      if (revision === applied) {
        knownAt = now();
        return;
      }
      isBehind = true;
      announced = Math.max(announced, revision);
      askInBackground();
    },
  };
}
