import { setTimeout as delay } from 'node:timers/promises';
import { createBatch } from '@casewatch/platform';
import { disableGoneEndpoint } from '../changes/disable-endpoint.ts';
import type { Context } from '../context.ts';
import type { Settled } from '../store/delivery-claims.ts';
import type { Failure } from '../store/webhook-health.ts';
import type { ClaimKeeper, Held } from './claim-keeper.ts';

export type Result = Omit<Settled, '_id' | 'claim'>;

/** Longer than the 10 ms of webhooks.md: at 100 results a second an update for each of them cost most of the requests. */
const batches = { size: 200, waitMs: 50 };
const retryMs = 500;
/** How long an outcome that cannot be stored is kept, ms; at the stop the shorter time. */
const keepMs = 60_000;
const keepAtStopMs = 5_000;

export type Settler = {
  /** Stores an outcome soon; the claim is kept until then. */
  settle(held: Held, result: Result): void;
  /** Stores a 410 and disables the endpoint, in one transaction; resolves when that is done or given up. */
  settleGone(held: Held, result: Result, failure: Failure): Promise<void>;
  /** Waits until all outcomes are stored or given up. */
  stop(): Promise<void>;
};

/** Stores outcomes in bulk, so that no attempt waits for it (webhooks.md, Fast). */
/** @param stopping aborts before the queues wait for the outcomes of their attempts */
export function createSettler(ctx: Context, keeper: ClaimKeeper, stopping: AbortSignal): Settler {
  const unfinished = new Set<Promise<unknown>>();
  const settleTogether = createBatch(store, batches);

  async function store(results: readonly Settled[]): Promise<null[]> {
    await untilStored(results, () => ctx.stores.deliveries.settleAll(results));
    return results.map(() => null);
  }

  /** `write` returns how many of the results were stored. */
  async function untilStored(results: readonly Settled[], write: () => Promise<number>): Promise<void> {
    const started = performance.now();
    const isLast = () => performance.now() - started > (stopping.aborted ? keepAtStopMs : keepMs);
    while (!(await isStored(results, write, isLast()))) await delay(retryMs);
  }

  async function isStored(
    results: readonly Settled[],
    write: () => Promise<number>,
    isLast: boolean,
  ): Promise<boolean> {
    const fields = { count: results.length, deliveries: results.slice(0, 20).map(({ _id }) => _id) };
    try {
      const stored = await write();
      if (stored < results.length)
        ctx.log.warn(
          { ...fields, stored },
          'attempts finished after their claims expired; results discarded',
        );
      return true;
    } catch (error) {
      const text = isLast ? 'attempt results not stored' : 'attempt results not stored; trying again';
      ctx.log[isLast ? 'error' : 'warn']({ ...fields, err: error }, text);
      return isLast;
    }
  }

  function keepUntil(held: Held, stored: Promise<unknown>): void {
    const settling = stored.then(() => {
      keeper.release(held);
      unfinished.delete(settling);
    });
    unfinished.add(settling);
  }

  return {
    settle(held, result) {
      const { _id, claim } = held.delivery;
      keepUntil(held, settleTogether({ _id, claim, ...result }));
    },
    async settleGone(held, result, failure) {
      const { _id, claim } = held.delivery;
      const settled = { _id, claim, ...result };
      const stored = untilStored([settled], () => disableGoneEndpoint(ctx, failure, settled));
      keepUntil(held, stored);
      await stored;
    },
    async stop() {
      await Promise.all(unfinished);
    },
  };
}
