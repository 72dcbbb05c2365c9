import type { Connection } from '@casewatch/platform/database';
import { firstCheck } from '../domain/buckets.ts';
import type { Receipt } from '../domain/receipt.ts';
import { bucketOf, type ScheduleParams } from '../domain/schedule.ts';
import { receiptModel } from './receipt-model.ts';

const rowsPerWrite = 1_000;

/** Gives a bucket to watched receipts that the release before wrote. Can be stopped and started again. Returns their number. */
export async function scheduleUnscheduled(
  db: Connection,
  params: Pick<ScheduleParams, 'rates'>,
  signal: AbortSignal,
): Promise<number> {
  const model = receiptModel(db);
  const unscheduled = { schedule_class: { $gt: '' as never }, bucket: null };
  let count = 0;
  for (let after = ''; !signal.aborted; ) {
    const rows = await model
      .find({ _id: { $gt: after }, ...unscheduled })
      .sort({ _id: 1 })
      .limit(rowsPerWrite)
      .lean<Receipt[]>();
    if (rows.length === 0) break;
    const now = new Date();
    const writes = rows.map((row) => {
      const $set = row.last_checked
        ? { bucket: bucketOf(row, now, params), checked_at: row.last_checked }
        : { bucket: firstCheck, checked_at: row.new_since ?? now };
      return {
        updateOne: { filter: { _id: row._id, revision: row.revision, bucket: null }, update: { $set } },
      };
    });
    count += (await model.bulkWrite(writes, { ordered: false })).modifiedCount;
    after = rows.at(-1)?._id ?? after;
  }
  return count;
}
