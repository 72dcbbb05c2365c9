import { type Bus, type Logger, pause } from '@casewatch/platform';
import type { Stores } from '../store/stores.ts';

/** How often gateways are told, ms (architecture.md §4). */
const everyMs = 500;
/** What was read longer ago than this, ms, is not told any more: who hears it believes it to be of this moment. */
const freshMs = 250;

type Options = { bus: Bus; log: Logger; revocations: Stores['revocations'] };

/**
 * Tells gateways how far revocations are. Every replica does, each from the database: so nothing has to be handed over when one
 * of them goes, and a gateway that hears no one asks.
 */
export function announceRevision({ bus, log, revocations }: Options): { stop(): Promise<void> } {
  const stopping = new AbortController();

  let isFailing = false;

  async function announce(): Promise<void> {
    const readAt = performance.now();
    const revision = await revocations.revision();
    isFailing = false;
    // The bus keeps what is said while it is away for later, when it would no longer be true.
    if (performance.now() - readAt <= freshMs && bus.isConnected()) {
      bus.publish('revocations.announced', { revision });
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const nextAt = performance.now() + everyMs;
      await announce().catch((error: unknown) => {
        // Twice a second is too often to say the same; gateways say it too.
        if (!isFailing) log.warn({ err: error }, 'revision not announced');
        isFailing = true;
      });
      await pause(Math.max(0, nextAt - performance.now()), stopping.signal);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
