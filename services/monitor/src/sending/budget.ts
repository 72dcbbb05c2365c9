import type { Context } from '../context.ts';
import type { Priority } from '../domain/quota.ts';

/** The right to one request of a quota day; the database has counted it. */
export type QuotaToken = { readonly day: string; readonly priority: Priority };

export type Budget = ReturnType<typeof createBudget>;

type Parts = Pick<Context, 'quota' | 'quotaDays' | 'clock' | 'wallClock'> & {
  stores: Pick<Context['stores'], 'budget'>;
};

const shareOfDay = 1 / 1_000;
const longestBlock = 50;

/** Reserves blocks of tokens in the database before use. A dying process loses its block, so the quota is never exceeded. */
export function createBudget({ stores: { budget: store }, quota, quotaDays: days, ...clocks }: Parts) {
  const { clock, wallClock } = clocks;
  const count = Math.min(Math.max(Math.floor(quota.daily * shareOfDay), 1), longestBlock);
  const blocks = { interactive: { day: '', left: 0 }, background: { day: '', left: 0 } };

  return {
    /** Null if the quota of the day is used. Calls at the same time can reserve a block each. */
    async take(priority: Priority): Promise<QuotaToken | null> {
      const now = clock.now();
      const { day } = days.at(now);
      if (blocks[priority].day !== day) blocks[priority] = { day, left: 0 };
      const block = blocks[priority];
      if (block.left === 0) {
        const reserved = await store.reserve(day, quota, { priority, count, kept: days.partLeft(now) });
        // Not `+= await`: that would forget what calls at the same time have reserved.
        block.left += reserved;
      }
      if (block.left === 0) return null;
      block.left -= 1;
      return { day, priority };
    },
    /** False if the quota day of the token has ended, or may have ended by the clock of USCIS or of the machine. */
    isValid({ day }: QuotaToken): boolean {
      const now = clock.now();
      return day === days.at(now).day && !days.isAtBoundary(now, wallClock.now());
    },
    msUntilNextDay: () => days.msUntilNext(clock.now()),
    returnToken({ day, priority }: QuotaToken): void {
      if (blocks[priority].day === day) blocks[priority].left += 1;
    },
    /** Returns all reserved tokens to the database when this process stops sending. */
    async releaseUnused(): Promise<void> {
      for (const priority of ['interactive', 'background'] as const) {
        const { day, left } = blocks[priority];
        // Emptied before the write, so that no released token is used here.
        blocks[priority] = { day: '', left: 0 };
        if (left > 0) await store.release(day, priority, left);
      }
    },
  };
}
