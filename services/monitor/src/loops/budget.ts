import type { QuotaDays } from '../domain/quota-day.ts';
import type { BudgetStore, Lane } from '../store/upstream-budget.ts';

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

type Options = { store: BudgetStore; daily: number; days: QuotaDays; now: () => Date };

/**
 * The day's budget as the sender uses it: reserved in small blocks before use. What is reserved and not used is lost
 * with a process that dies, so the day's count is never exceeded, whatever happens.
 */
export function createBudget({ store, daily, days, now }: Options): Budget {
  const blockSize = Math.min(Math.max(Math.floor(daily / 1_000), 1), 50);
  const blocks: Record<Lane, { day: string; left: number }> = {
    interactive: { day: '', left: 0 },
    background: { day: '', left: 0 },
  };
  const reserving: Partial<Record<Lane, Promise<boolean>>> = {};
  const today = () => days.at(now()).day;

  async function reserve(lane: Lane): Promise<boolean> {
    const day = today();
    const isWhole = await store.reserve(day, lane, blockSize);
    const count = isWhole ? blockSize : 1;
    if (!isWhole && (blockSize === 1 || !(await store.reserve(day, lane, 1)))) return false;
    const block = blocks[lane];
    blocks[lane] = { day, left: count + (block.day === day ? block.left : 0) };
    return true;
  }

  return {
    today,
    async take(lane) {
      for (;;) {
        const block = blocks[lane];
        if (block.day === today() && block.left > 0) {
          block.left -= 1;
          return { day: block.day, lane };
        }
        reserving[lane] ??= reserve(lane).finally(() => {
          delete reserving[lane];
        });
        if (!(await reserving[lane])) return null;
      }
    },
    holds: ({ day }) => day === today() && !days.isAtBoundary(now()),
    giveBack({ day, lane }) {
      if (blocks[lane].day === day) blocks[lane].left += 1;
    },
    async handBack() {
      for (const lane of ['interactive', 'background'] as const) {
        const { day, left } = blocks[lane];
        // Taken out first: what is handed back must not be used here any more.
        blocks[lane] = { day: '', left: 0 };
        if (left > 0) await store.release(day, lane, left);
      }
    },
  };
}
