import type { Connection } from '@casewatch/platform';
import mongoose from 'mongoose';
import { interactiveLimits, type Lane, type Quota } from '../domain/quota.ts';

type BudgetRow = {
  /** The quota's day, `YYYY-MM-DD` in its own time zone. */
  _id: string;
  interactive: number;
  background: number;
};

const schema = new mongoose.Schema<BudgetRow>(
  { _id: String, interactive: Number, background: Number },
  { versionKey: false, id: false, collection: 'upstream_budget' },
);

type Reservation = { lane: Lane; count: number };

export type BudgetStore = ReturnType<typeof createBudgetStore>;

/** The collection `upstream_budget`: what was used of each day, counted before it is used. */
export function createBudgetStore(db: Connection) {
  const model = db.model<BudgetRow>('upstream_budget', schema);
  const used = {
    interactive: { $ifNull: ['$interactive', 0] },
    background: { $ifNull: ['$background', 0] },
  };
  const total = { $add: [used.interactive, used.background] };

  /** Interactive checks go so far and no further; background ones leave at least their share to them. */
  function limitsOf(quota: Quota, lane: Lane, count: number) {
    const { daily } = quota;
    const { share, most } = interactiveLimits(quota);
    if (lane === 'background') {
      return [{ $lte: [{ $add: [used.background, count, { $max: [share, used.interactive] }] }, daily] }];
    }
    return [
      { $lte: [{ $add: [used.interactive, count] }, most] },
      { $lte: [{ $add: [total, count] }, daily] },
    ];
  }

  /** Two that make it at once both find it. */
  async function makeRow(day: string) {
    const fresh = { $setOnInsert: { interactive: 0, background: 0 } };
    return await model.updateOne({ _id: day }, fresh, { upsert: true });
  }

  return {
    /** Reserves `count` requests of a day for a lane; false if that is more than the quota leaves to it. */
    async reserve(day: string, quota: Quota, { lane, count }: Reservation): Promise<boolean> {
      // An upsert takes no $expr: the day's row is made first, where it is not there yet.
      const reserveOnce = () =>
        model.updateOne(
          { _id: day, $expr: { $and: limitsOf(quota, lane, count) } },
          { $inc: { [lane]: count } },
        );
      if ((await reserveOnce()).modifiedCount === 1) return true;
      const { upsertedCount } = await makeRow(day);
      return upsertedCount === 1 && (await reserveOnce()).modifiedCount === 1;
    },

    /** Takes back what was reserved and surely not used. */
    async release(day: string, lane: Lane, count: number): Promise<void> {
      await model.updateOne({ _id: day }, { $inc: { [lane]: -count } });
    },

    /** What each lane used of a day. */
    async read(day: string): Promise<Record<Lane, number>> {
      const row = await model.findById(day).lean<Partial<BudgetRow>>();
      return { interactive: row?.interactive ?? 0, background: row?.background ?? 0 };
    },
  };
}
