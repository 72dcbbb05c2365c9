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
  const blocks: Record<Priority, { day: string; left: number }> = {
    interactive: { day: '', left: 0 },
    background: { day: '', left: 0 },
  };
  const reserving: Partial<Record<Priority, Promise<boolean>>> = {};
  const refusals: Partial<Record<Priority, { day: string; untilMs: number }>> = {};
  const today = () => days.at(now()).day;

  async function reserve(priority: Priority): Promise<boolean> {
    const day = today();
    const count = await store.reserve(day, quota, { priority, count: blockSize, kept: kept() });
    if (count === 0) refusals[priority] = { day, untilMs: performance.now() + refusedMs[priority] };
    const block = blocks[priority];
    blocks[priority] = { day, left: count + (block.day === day ? block.left : 0) };
    return count > 0;
  }

  function reserveOnce(priority: Priority): Promise<boolean> {
    reserving[priority] ??= reserve(priority).finally(() => {
      delete reserving[priority];
    });
    return reserving[priority];
  }

  function isRefused(priority: Priority): boolean {
    const refusal = refusals[priority];
    return refusal?.day === today() && performance.now() < refusal.untilMs;
  }

  function reserveAhead(priority: Priority): void {
    if (blockSize < minAhead || blocks[priority].left > blockSize / 2 || isRefused(priority)) return;
    // The next `take` with an empty block reserves again and throws the error.
    reserveOnce(priority).catch(() => false);
  }

  return {
    async take(priority: Priority): Promise<QuotaToken | null> {
      for (;;) {
        const block = blocks[priority];
        if (block.day === today() && block.left > 0) {
          block.left -= 1;
          reserveAhead(priority);
          return { day: block.day, priority };
        }
        if (isRefused(priority) || !(await reserveOnce(priority))) return null;
      }
    },
    /** False if the quota day of the token has ended, or may have ended by the clock of USCIS. */
    isValid: ({ day }: QuotaToken) => day === today() && !days.isAtBoundary(now()),
    returnToken({ day, priority }: QuotaToken): void {
      if (blocks[priority].day === day) blocks[priority].left += 1;
    },
    /** Returns all reserved tokens to the database when this process stops sending. */
    async releaseUnused(): Promise<void> {
      for (const priority of ['interactive', 'background'] as const) {
        await Promise.allSettled([reserving[priority]]);
        const { day, left } = blocks[priority];
        // Emptied before the write, so that no released token is used here.
        blocks[priority] = { day: '', left: 0 };
        if (left > 0) await store.release(day, priority, left);
      }
    },
  };
}
