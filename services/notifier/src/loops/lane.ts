import { createWaker, inContext, type Logger, newContext, pause } from '@casewatch/platform';

export type Lane = { wake(): void; stop(): Promise<void> };

type Options<T> = {
  log: Logger;
  name: string;
  concurrency: number;
  /** Takes what is due next; null: nothing is. */
  claim(): Promise<T | null>;
  /** Finishes it; a failure is logged, and what was claimed comes again when its claim ends. */
  handle(item: T): Promise<void>;
};

/** Something that became due by itself is seen this late at most, ms. */
const sweepMs = 300;
const troubleMs = 1_000;
/** Longest wait for what is under way at shutdown, ms; the process has 20 s in all. */
const stopWithinMs = 15_000;

/** Works off what is due, a few at a time: woken by `wake`, by an item that is finished, and by a sweep. */
export function startLane<T>(options: Options<T>): Lane {
  const { log, name, concurrency } = options;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const waker = createWaker(stopping.signal);

  async function next(): Promise<T | null> {
    try {
      return await options.claim();
    } catch (error) {
      log.warn({ lane: name, err: error }, 'lane cannot claim; it tries again');
      await pause(troubleMs, stopping.signal);
      return null;
    }
  }

  function begin(item: T): void {
    const work = inContext(newContext(), () => options.handle(item)).catch((error: unknown) => {
      log.warn({ lane: name, err: error }, 'item not finished; it comes again when its claim ends');
    });
    running.add(work);
    void work.finally(() => {
      running.delete(work);
      waker.wake();
    });
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const item = running.size < concurrency ? await next() : null;
      if (item !== null) begin(item);
      else await waker.sleep(sweepMs);
    }
  }

  const loop = run();
  return {
    wake: waker.wake,
    async stop() {
      stopping.abort();
      await loop;
      const patience = new AbortController();
      await Promise.race([Promise.all(running), pause(stopWithinMs, patience.signal)]);
      patience.abort();
    },
  };
}
