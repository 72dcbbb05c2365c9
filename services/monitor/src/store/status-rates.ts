import { type Connection, collection } from '@casewatch/platform/database';
import type { RateCounter, RateCounters } from '../domain/status-rates.ts';

/** `_id`: status and form (`statusKeyOf`). */
type RateRow = RateCounter & { _id: string };

const statusRates = collection<RateRow>('status_rates', String);

export function createStatusRateStore(db: Connection) {
  const model = statusRates(db);
  return {
    async read(): Promise<RateCounters> {
      const rows = await model.find().lean<RateRow[]>();
      return new Map(rows.map(({ _id, days, changes }) => [_id, { days, changes }]));
    },

    async add(counters: RateCounters): Promise<void> {
      if (counters.size === 0) return;
      const writes = [...counters].map(([_id, { days, changes }]) => ({
        updateOne: { filter: { _id }, update: { $inc: { days, changes } }, upsert: true },
      }));
      await model.bulkWrite(writes, { ordered: false });
    },
  };
}
