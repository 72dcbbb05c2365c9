import { inContext, type Logger, newContext } from '../telemetry/logger.ts';
import type { Running } from './every.ts';
import { pause } from './pause.ts';
import { createWakeableTimer } from './wakeable-timer.ts';

type Options<T> = {
  log: Logger;
  name: string;
  concurrency: number;
  /** Longest delay of an item that becomes due without a signal, ms. */
  sweepMs: number;
  /** The same while no item has been found for some time; default: `sweepMs`. */
  idleSweepMs?: number;
  claim(): Promise<T | null>;
  /** Handles an item. A failure is logged; the item is claimed again when its claim expires. */
  handle(item: T): Promise<void>;
  wakeOn?: ((wake: () => void) => void) | undefined;
};

const claimRetryMs = 1_000;
const idleGrowth = 1.2;
/** Longest wait for items in progress at the stop, ms; the process has 20 s in all. */
const stopWithinMs = 15_000;

export function worker<T>(options: Options<T>): Running {
  const { log, name, concurrency, sweepMs, idleSweepMs = sweepMs, wakeOn } = options;
  const stopping = new AbortController();
  const inProgress = new Set<Promise<void>>();
  const timer = createWakeableTimer(stopping.signal);
  wakeOn?.(timer.wake);

  async function claim(): Promise<T | null> {
    try {
      return await options.claim();
    } catch (error) {
      log.warn({ worker: name, err: error }, 'cannot claim work; trying again');
      await pause(claimRetryMs, stopping.signal);
      timer.wake();
      return null;
    }
  }

  function startItem(item: T): void {
    const handling = inContext(newContext(), () => options.handle(item)).catch((error: unknown) => {
      log.warn({ worker: name, err: error }, 'work item failed; it is claimed again when its claim expires');
    });
    inProgress.add(handling);
    void handling.finally(() => {
      inProgress.delete(handling);
      timer.wake();
    });
  }

  async function run(): Promise<void> {
    let restMs = sweepMs;
    while (!stopping.signal.aborted) {
      const item = inProgress.size < concurrency ? await claim() : null;
      if (item !== null) startItem(item);
      const isWoken = item === null && (await timer.sleep(restMs));
      restMs = item === null && !isWoken ? Math.min(restMs * idleGrowth, idleSweepMs) : sweepMs;
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      const finished = new AbortController();
      await Promise.race([Promise.all(inProgress), pause(stopWithinMs, finished.signal)]);
      finished.abort();
    },
  };
}
