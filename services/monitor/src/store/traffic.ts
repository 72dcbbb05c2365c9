import type { Connection } from '@casewatch/platform';
import mongoose from 'mongoose';
import type { Outcome } from '../domain/outcome.ts';
import type { TrafficDay, TrafficPlan } from '../domain/traffic.ts';

type PlanRow = TrafficPlan & { _id: 'plan' };
type DayRow = Omit<TrafficDay, 'day'> & { _id: string };

const { Mixed } = mongoose.Schema.Types;
const options = { versionKey: false as const, id: false };

const planSchema = new mongoose.Schema<PlanRow>(
  { _id: String, days: Number, per_day: Number, every_ms: Number, started_at: Date, stopped_at: Date },
  { ...options, collection: 'traffic_plan' },
);
const daySchema = new mongoose.Schema<DayRow>(
  { _id: String, requests: Number, results: Mixed, first_at: Date, last_at: Date },
  { ...options, collection: 'traffic_days' },
);

/** The collections `traffic_plan` and `traffic_days`: the sandbox traffic that production access asks for. */
export function createTrafficStore(db: Connection) {
  const plans = db.model<PlanRow>('traffic_plan', planSchema);
  const days = db.model<DayRow>('traffic_days', daySchema);
  return {
    async plan(): Promise<TrafficPlan | null> {
      return await plans.findById('plan').lean<PlanRow>();
    },

    /** Begins, or goes on; anew: what was sent for a former plan is forgotten. */
    async begin(plan: TrafficPlan, { isAnew = true } = {}): Promise<void> {
      if (isAnew) await days.deleteMany({});
      await plans.updateOne({ _id: 'plan' }, { $set: plan }, { upsert: true });
    },

    async end(at: Date): Promise<void> {
      await plans.updateOne({ _id: 'plan' }, { $set: { stopped_at: at } });
    },

    async days(): Promise<TrafficDay[]> {
      const rows = await days.find({}).sort({ _id: 1 }).lean<DayRow[]>();
      return rows.map(({ _id, ...row }) => ({ day: _id, ...row }));
    },

    async note(day: string, result: Outcome['outcome'], at: Date): Promise<void> {
      await days.updateOne(
        { _id: day },
        {
          $inc: { requests: 1, [`results.${result}`]: 1 },
          $min: { first_at: at },
          $max: { last_at: at },
        },
        { upsert: true },
      );
    },
  };
}
