import { setTimeout as delay, setImmediate as turnOfLoop } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { withoutTimeLimit } from './time-left.ts';

/** Returns the result or error of each item, in order. If it throws, every item of the batch fails. */
type Work<Item, Result> = (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;

type Options = {
  /** Most items of one batch. */
  size: number;
  /** How long the first item waits for others, ms. Without it, items wait for the end of the batch before, so that batches never overlap. */
  waitMs?: number;
  /** The first item waits for the items that have arrived with it: for the next turn of the event loop. */
  gathers?: boolean;
  /** Longest time that a batch holds back the next one, ms: a slow batch must not stop all calls. Default: until its end. */
  holdMs?: number;
};

/** Joins calls of parallel handlers into batches; each caller gets the result of its own item. */
export function createBatch<Item, Result>(
  work: Work<Item, Result>,
  { size, waitMs, gathers = false, holdMs }: Options,
): (item: Item) => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn(start: () => void): void {
    const before = gathers ? turn.then(() => turnOfLoop()) : turn;
    turn = before.then(() => {
      start();
      return holdMs === undefined
        ? running
        : Promise.race([running, delay(holdMs, undefined, { ref: false })]);
    });
  }

  function runBatch(items: readonly Item[]) {
    // Several callers wait for a batch, so it must not end with the first caller's time limit.
    const results = withoutTimeLimit(() => work(items));
    running = results.catch(() => undefined);
    return results;
  }

  const loader = new DataLoader<Item, Result>(runBatch, {
    cache: false,
    maxBatchSize: size,
    batchScheduleFn: waitMs === undefined ? inTurn : (start) => setTimeout(start, waitMs),
  });
  return (item) => loader.load(item);
}
