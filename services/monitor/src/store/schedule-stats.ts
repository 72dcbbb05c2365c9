import { type Connection, collection } from '@casewatch/platform';
import type { ClassCounts } from '../domain/capacity.ts';
import type { CheckAges, LastCheck } from '../domain/check-ages.ts';
import { type ScheduleClass, scheduleClasses } from '../domain/schedule-class.ts';
import { receiptModel } from './receipt-model.ts';

export type ScheduleStats = {
  taken_at: Date;
  counts: ClassCounts;
  ages: CheckAges;
  overdue: number;
};

const census = collection<ScheduleStats & { _id: string }>('census', String);

/** Above `wholeUpTo` receipts a sample is read, so that the cost does not grow. */
const wholeUpTo = 40_000;
const sampleSize = 2_000;
/** The receipts of each class that are due longest are always read: they show a lag first. */
const longestDueCount = 100;

/** The collection `census`: one row with the last statistics. */
export function createScheduleStatsStore(db: Connection) {
  const receipts = receiptModel(db);
  const model = census(db);
  const fields = { schedule_class: 1, last_checked: 1 } as const;

  return {
    async read(): Promise<ScheduleStats | null> {
      return await model.findById('latest').lean<ScheduleStats>();
    },

    async write(stats: ScheduleStats): Promise<void> {
      await model.updateOne({ _id: 'latest' }, { $set: stats }, { upsert: true });
    },

    async count(): Promise<ClassCounts> {
      const counts: Partial<ClassCounts> = {};
      for (const name of scheduleClasses)
        counts[name] = await receipts.countDocuments({ schedule_class: name }).hint('schedule');
      return counts as ClassCounts;
    },

    async countOverdue(): Promise<number> {
      return await receipts.countDocuments({ overdue_since: { $gt: new Date(0) } }).hint('overdue');
    },

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

    async longestDue(name: ScheduleClass): Promise<LastCheck[]> {
      return await receipts
        .find({ schedule_class: name }, fields)
        .sort({ next_check_at: 1 })
        .limit(longestDueCount)
        .hint('schedule')
        .lean<LastCheck[]>();
    },
  };
}
