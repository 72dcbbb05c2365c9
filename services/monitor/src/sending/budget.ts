import type { Lane, Quota } from '../domain/quota.ts';
import type { QuotaDays } from '../domain/quota-day.ts';
import type { BudgetStore } from '../store/upstream-budget.ts';

/** The right to one request of a quota's day, counted in the database already. */
export type Permit = { readonly day: string; readonly lane: Lane };

export type Budget = {
  today(): string;
  /** Null: the lane has nothing left today. */
  take(lane: Lane): Promise<Permit | null>;
  /** Whether a permit may be used now: its day has not ended, by any clock. */
  holds(permit: Permit): boolean;
  /** A permit that was not used; one of a former day is worth nothing any more. */
  giveBack(permit: Permit): void;
  /** Gives what was reserved and not used to whoever sends next; called when this process sends no more. */
  handBack(): Promise<void>;
};

type Options = { store: BudgetStore; quota: Quota; ratePerSecond: number; days: QuotaDays; now: () => Date };

/** A block is so much of the day at most, since a process that dies loses what it had left of one. */
const mostOfDay = 1 / 1_000;
/** And so many requests, or so many seconds of a high rate: a majority write per block, not more. Few use the interactive one. */
const ordinaryBlock = 50;
const secondsOfRate: Record<Lane, number> = { interactive: 1, background: 5 };
/** Below this size of a block it is not worth holding more than one. */
const leastAhead = 10;

/**
 * The day's budget as the sender uses it: reserved in small blocks before use, the next one while half of the last is
 * left, so that nobody waits for that write. What is reserved and not used is lost with a process that dies, so the
 * day's count is never exceeded, whatever happens.
 */
export function createBudget({ store, quota, ratePerSecond, days, now }: Options): Budget {
  const blockSizes = { interactive: blockSizeOf('interactive'), background: blockSizeOf('background') };
  const blocks: Record<Lane, { day: string; left: number }> = {
    interactive: { day: '', left: 0 },
    background: { day: '', left: 0 },
  };
  const reserving: Partial<Record<Lane, Promise<boolean>>> = {};
  const today = () => days.at(now()).day;

  function blockSizeOf(lane: Lane): number {
    const wanted = Math.max(ordinaryBlock, Math.ceil(secondsOfRate[lane] * ratePerSecond));
    return Math.min(Math.max(Math.floor(quota.daily * mostOfDay), 1), wanted);
  }

  async function reserve(lane: Lane): Promise<boolean> {
    const day = today();
    const blockSize = blockSizes[lane];
    const isWhole = await store.reserve(day, quota, { lane, count: blockSize });
    const count = isWhole ? blockSize : 1;
    if (!isWhole && (blockSize === 1 || !(await store.reserve(day, quota, { lane, count: 1 })))) return false;
    const block = blocks[lane];
    blocks[lane] = { day, left: count + (block.day === day ? block.left : 0) };
    return true;
  }

  /** One at a time for each lane. */
  function reserveOnce(lane: Lane): Promise<boolean> {
    reserving[lane] ??= reserve(lane).finally(() => {
      delete reserving[lane];
    });
    return reserving[lane];
  }

  function reserveAhead(lane: Lane): void {
    const blockSize = blockSizes[lane];
    if (blockSize < leastAhead || blocks[lane].left > blockSize / 2) return;
    // Whoever finds the block empty asks again, and hears of it then.
    reserveOnce(lane).catch(() => false);
  }

  return {
    today,
    async take(lane) {
      for (;;) {
        const block = blocks[lane];
        if (block.day === today() && block.left > 0) {
          block.left -= 1;
          reserveAhead(lane);
          return { day: block.day, lane };
        }
        if (!(await reserveOnce(lane))) return null;
      }
    },
    holds: ({ day }) => day === today() && !days.isAtBoundary(now()),
    giveBack({ day, lane }) {
      if (blocks[lane].day === day) blocks[lane].left += 1;
    },
    async handBack() {
      for (const lane of ['interactive', 'background'] as const) {
        // What is being reserved at this moment is handed back too; where that fails, nothing is there.
        await Promise.allSettled([reserving[lane]]);
        const { day, left } = blocks[lane];
        // Taken out first: what is handed back must not be used here any more.
        blocks[lane] = { day: '', left: 0 };
        if (left > 0) await store.release(day, lane, left);
      }
    },
  };
}
