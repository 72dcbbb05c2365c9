import { type Logger, pause } from '@casewatch/platform';
import type { SigningKey } from '../domain/signing-key.ts';

/** How often a replica looks for new keys, ms; they are published for longer than that before they sign. */
const lookEveryMs = 5_000;

/** The keys as this replica knows them. */
export type SigningKeyRing = {
  keys(): readonly SigningKey[];
  /** Looks now, and returns what is there. */
  refresh(): Promise<readonly SigningKey[]>;
  stop(): Promise<void>;
};

/** @param load reads them from the store */
export async function startSigningKeyRing(
  load: () => Promise<readonly SigningKey[]>,
  log: Logger,
): Promise<SigningKeyRing> {
  const stopping = new AbortController();
  let keys = await load();

  async function refresh(): Promise<readonly SigningKey[]> {
    keys = await load();
    return keys;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(lookEveryMs, stopping.signal);
      if (stopping.signal.aborted) return;
      await refresh().catch((error: unknown) => log.warn({ err: error }, 'signing keys not looked at'));
    }
  }

  const running = run();
  return {
    keys: () => keys,
    refresh,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
