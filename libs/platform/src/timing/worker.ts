import { inContext, type Logger, newContext } from '../telemetry/logger.ts';
import { pause } from './pause.ts';
import type { Running } from './running.ts';
import { createWaker } from './waker.ts';

type Work<T> = {
  log: Logger;
  /** Names it in the log. */
  name: string;
  /** Items under way at most. */
  concurrency: number;
  /** How late an item is seen that became due without a signal, ms. */
  sweepMs: number;
  /** Takes what is due next; null: nothing is. */
  claim(): Promise<T | null>;
  /** Finishes an item. A failure is logged; the item is claimed again when its claim ends. */
  handle(item: T): Promise<void>;
  /** Is given the function that ends a wait: subscribe it to the signal that says that work was added. */
  wakeOn?: ((wake: () => void) => void) | undefined;
};

/** How long it waits after a claim that failed, ms. */
const troubleMs = 1_000;
/** Longest wait for items under way when stopping, ms; the process has 20 s in all. */
const stopWithinMs = 15_000;

/** Handles what is due, a few items at a time: woken by its signal, by an item that is finished, and by a sweep. */
export function worker<T>(work: Work<T>): Running {
  const { log, name, concurrency, sweepMs, wakeOn } = work;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const waker = createWaker(stopping.signal);
  wakeOn?.(waker.wake);

  async function claim(): Promise<T | null> {
    try {
      return await work.claim();
    } catch (error) {
      log.warn({ worker: name, err: error }, 'cannot claim work; trying again');
      await pause(troubleMs, stopping.signal);
      waker.wake();
      return null;
    }
  }

  function begin(item: T): void {
    const handling = inContext(newContext(), () => work.handle(item)).catch((error: unknown) => {
      log.warn({ worker: name, err: error }, 'work item failed; it is claimed again when its claim expires');
    });
    underWay.add(handling);
    void handling.finally(() => {
      underWay.delete(handling);
      waker.wake();
    });
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const item = underWay.size < concurrency ? await claim() : null;
      if (item !== null) begin(item);
      else await waker.sleep(sweepMs);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      const patience = new AbortController();
      await Promise.race([Promise.all(underWay), pause(stopWithinMs, patience.signal)]);
      patience.abort();
    },
  };
}
