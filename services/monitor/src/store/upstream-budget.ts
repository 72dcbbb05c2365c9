import { type Connection, collection, isDuplicateKey } from '@casewatch/platform/database';
import { type Priority, type Quota, quotaUseOf } from '../domain/quota.ts';

type BudgetRow = Record<Priority, number> & { _id: string };

const upstreamBudget = collection<BudgetRow>('upstream_budget', String);

type Reservation = { priority: Priority; count: number; kept: number };

export function createBudgetStore(db: Connection) {
  const model = upstreamBudget(db);

  async function read(day: string): Promise<Record<Priority, number>> {
    // A majority read may lag behind the write that `add` conflicts with.
    const row = await model.findById(day).readConcern('local').lean<Partial<BudgetRow>>();
    return { interactive: row?.interactive ?? 0, background: row?.background ?? 0 };
  }

  /** False if the row changed since `use` was read. */
  async function add(day: string, use: Record<Priority, number>, change: Partial<typeof use>) {
    try {
      await model.updateOne({ _id: day, ...use }, { $inc: change }, { upsert: true });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    read,

    /** Counts at most `count` requests, as many as the quota leaves. Returns their number. */
    async reserve(day: string, quota: Quota, { priority, count, kept }: Reservation): Promise<number> {
      for (;;) {
        const use = await read(day);
        const reserved = Math.min(count, quotaUseOf(quota, use, kept)[priority].left);
        if (reserved === 0 || (await add(day, use, { [priority]: reserved }))) return reserved;
      }
    },

    async release(day: string, priority: Priority, count: number): Promise<void> {
      await model.updateOne({ _id: day }, { $inc: { [priority]: -count } });
    },
  };
}
