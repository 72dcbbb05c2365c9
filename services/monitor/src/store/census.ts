import type { Connection } from '@casewatch/platform';
import mongoose from 'mongoose';
import type { ClassCounts } from '../domain/capacity.ts';
import type { CheckAges, LastCheck } from '../domain/check-ages.ts';
import { type ScheduleClass, scheduleClasses } from '../domain/schedule-class.ts';
import { receiptModel } from './receipt-model.ts';

/** How the watched receipts fare, as the sender counted them last. */
export type Census = {
  taken_at: Date;
  counts: ClassCounts;
  /** Ages of the last successful checks, seconds. */
  ages: CheckAges;
  overdue: number;
};

const { Mixed } = mongoose.Schema.Types;

const schema = new mongoose.Schema<Census & { _id: string }>(
  { _id: String, taken_at: Date, counts: Mixed, ages: Mixed, overdue: Number },
  { versionKey: false, id: false, minimize: false, collection: 'census' },
);

/** Up to so many receipts all are looked at; of more a sample, whose cost does not grow with them. */
const sampleSize = 2_000;
const wholeUpTo = 40_000;
/** Of each class the longest due ones are looked at besides: where something lags, they lag most. */
const longestDue = 100;

/** The collection `census`: one row, so that nobody counts a million receipts to answer a question. */
export function createCensusStore(db: Connection) {
  const receipts = receiptModel(db);
  const model = db.model<Census & { _id: string }>('census', schema);
  const fields = { schedule_class: 1, last_checked: 1 } as const;

  return {
    async read(): Promise<Census | null> {
      return await model.findById('latest').lean<Census>();
    },

    async write(census: Census): Promise<void> {
      await model.updateOne({ _id: 'latest' }, { $set: census }, { upsert: true });
    },

    /** Watched receipts by class: in the index alone. */
    async count(): Promise<ClassCounts> {
      const counts: Partial<ClassCounts> = {};
      for (const name of scheduleClasses)
        counts[name] = await receipts.countDocuments({ schedule_class: name }).hint('schedule');
      return counts as ClassCounts;
    },

    async countOverdue(): Promise<number> {
      return await receipts.countDocuments({ overdue_since: { $gt: new Date(0) } }).hint('overdue');
    },

    /** The last checks of all watched receipts, or of a sample of them. */
    async lastChecks(watched: number): Promise<LastCheck[]> {
      if (watched <= wholeUpTo)
        return await receipts
          .find({ schedule_class: { $in: [...scheduleClasses] } }, fields)
          .hint('schedule')
          .lean<LastCheck[]>();
      return await receipts.aggregate<LastCheck>([
        { $sample: { size: sampleSize } },
        { $match: { schedule_class: { $gt: '' } } },
        { $project: fields },
      ]);
    },

    /** Those of one class that have been due longest. */
    async longestDue(name: ScheduleClass): Promise<LastCheck[]> {
      return await receipts
        .find({ schedule_class: name }, fields)
        .sort({ next_check_at: 1 })
        .limit(longestDue)
        .hint('schedule')
        .lean<LastCheck[]>();
    },
  };
}
