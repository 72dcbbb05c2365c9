import type { Connection } from '@casewatch/platform';
import mongoose from 'mongoose';

/** Who a request is for: somebody who waits, or the schedule. */
export type Lane = 'interactive' | 'background';

/** How the government's service stands, as the one that sends last said. */
export type UpstreamView = 'open' | 'closed' | 'unreachable';

type BudgetRow = {
  /** The quota's day, `YYYY-MM-DD` in its own time zone. */
  _id: string;
  interactive: number;
  background: number;
  upstream: UpstreamView;
  sender_seen_at: Date | null;
};

const schema = new mongoose.Schema<BudgetRow>(
  { _id: String, interactive: Number, background: Number, upstream: String, sender_seen_at: Date },
  { versionKey: false, id: false, collection: 'upstream_budget' },
);

/** The interactive lane's own share of the day; it may borrow as much again (monitor.md, Budget). */
const interactiveShare = 0.15;

export type BudgetStore = ReturnType<typeof createBudgetStore>;

/** The collection `upstream_budget`: what was used of each day, counted before it is used. */
export function createBudgetStore(db: Connection, daily: number) {
  const model = db.model<BudgetRow>('upstream_budget', schema);
  const share = Math.ceil(daily * interactiveShare);
  const used = {
    interactive: { $ifNull: ['$interactive', 0] },
    background: { $ifNull: ['$background', 0] },
  };
  const total = { $add: [used.interactive, used.background] };

  /** Interactive checks stay within twice their share; background ones leave at least that share to them. */
  function limitsOf(lane: Lane, count: number) {
    if (lane === 'background') {
      return [{ $lte: [{ $add: [used.background, count, { $max: [share, used.interactive] }] }, daily] }];
    }
    return [
      { $lte: [{ $add: [used.interactive, count] }, Math.min(share * 2, daily)] },
      { $lte: [{ $add: [total, count] }, daily] },
    ];
  }

  /** Two that make it at once both find it. */
  async function makeRow(day: string) {
    const fresh = { $setOnInsert: { interactive: 0, background: 0 } };
    return await model.updateOne({ _id: day }, fresh, { upsert: true });
  }

  return {
    async prepare(): Promise<void> {
      await model.createCollection();
    },

    /** Reserves `count` requests of a day for a lane; false if that is more than is left to it. */
    async reserve(day: string, lane: Lane, count: number): Promise<boolean> {
      // An upsert takes no $expr: the day's row is made first, where it is not there yet.
      const reserveOnce = () =>
        model.updateOne({ _id: day, $expr: { $and: limitsOf(lane, count) } }, { $inc: { [lane]: count } });
      if ((await reserveOnce()).modifiedCount === 1) return true;
      const { upsertedCount } = await makeRow(day);
      return upsertedCount === 1 && (await reserveOnce()).modifiedCount === 1;
    },

    /** Notes that somebody sends, and how the government's service fares. */
    async noteSender(day: string, upstream: UpstreamView, at: Date): Promise<void> {
      await model.updateOne({ _id: day }, { $set: { upstream, sender_seen_at: at } }, { upsert: true });
    },

    async read(day: string): Promise<{ used: number; upstream: UpstreamView; sender_seen_at: Date | null }> {
      const row = await model.findById(day).lean<Partial<BudgetRow>>();
      return {
        used: (row?.interactive ?? 0) + (row?.background ?? 0),
        upstream: row?.upstream ?? 'unreachable',
        sender_seen_at: row?.sender_seen_at ?? null,
      };
    },
  };
}
