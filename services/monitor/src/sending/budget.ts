import type { Priority, Quota } from '../domain/quota.ts';
import type { QuotaDays } from '../domain/quota-day.ts';
import type { BudgetStore } from '../store/upstream-budget.ts';

/** The right to one request of a quota day; the database has counted it. */
export type QuotaToken = { readonly day: string; readonly priority: Priority };

export type Budget = ReturnType<typeof createBudget>;

type Options = {
  store: BudgetStore;
  quota: Quota;
  days: QuotaDays;
  now: () => Date;
  /** Part of the day that is left, 0 to 1. */
  kept: () => number;
};

/** Share of the day in one block: a dying process loses its block. */
const shareOfDay = 1 / 1_000;
const longestBlock = 50;
const minAhead = 10;
/** A refusal of the database holds for this time, ms: background gets a little more as the day goes on. */
const refusedMs: Record<Priority, number> = { interactive: 1_000, background: 10_000 };

/** Reserves blocks of tokens in the database before use. A dying process loses its block, so the quota is never exceeded. */
export function createBudget({ store, quota, days, now, kept }: Options) {
  const blockSize = Math.min(Math.max(Math.floor(quota.daily * shareOfDay), 1), longestBlock);
  const today = () => days.at(now()).day;
  const lanes = { interactive: createLane('interactive'), background: createLane('background') };

  function createLane(priority: Priority) {
    let block = { day: '', left: 0 };
    let refusal = { day: '', untilMs: 0 };
    let reserving: Promise<boolean> | undefined;
    const isRefused = () => refusal.day === today() && performance.now() < refusal.untilMs;

    async function reserve(): Promise<boolean> {
      const day = today();
      const count = await store.reserve(day, quota, { priority, count: blockSize, kept: kept() });
      if (count === 0) refusal = { day, untilMs: performance.now() + refusedMs[priority] };
      block = { day, left: count + (block.day === day ? block.left : 0) };
      return count > 0;
    }

    function reserveOnce(): Promise<boolean> {
      reserving ??= reserve().finally(() => {
        reserving = undefined;
      });
      return reserving;
    }

    function reserveAhead(): void {
      if (blockSize < minAhead || block.left > blockSize / 2 || isRefused()) return;
      // The next `take` with an empty block reserves again and throws the error.
      reserveOnce().catch(() => false);
    }

    return {
      async take(): Promise<QuotaToken | null> {
        for (;;) {
          const { day, left } = block;
          if (day === today() && left > 0) {
            block = { day, left: left - 1 };
            reserveAhead();
            return { day, priority };
          }
          if (isRefused() || !(await reserveOnce())) return null;
        }
      },
      returnToken(day: string): void {
        if (block.day === day) block = { day, left: block.left + 1 };
      },
      async releaseUnused(): Promise<void> {
        await Promise.allSettled([reserving]);
        const { day, left } = block;
        // Emptied before the write, so that no released token is used here.
        block = { day: '', left: 0 };
        if (left > 0) await store.release(day, priority, left);
      },
    };
  }

  return {
    take: (priority: Priority) => lanes[priority].take(),
    /** False if the quota day of the token has ended, or may have ended by the clock of USCIS. */
    isValid: ({ day }: QuotaToken) => day === today() && !days.isAtBoundary(now()),
    returnToken: ({ day, priority }: QuotaToken) => lanes[priority].returnToken(day),
    /** Returns all reserved tokens to the database when this process stops sending. */
    async releaseUnused(): Promise<void> {
      for (const lane of Object.values(lanes)) await lane.releaseUnused();
    },
  };
}
