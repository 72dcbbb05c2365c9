import { type Connection, collection, type Session } from '@casewatch/platform/database';
import type { FanOut } from '../domain/fan-out.ts';
import { confirm } from './conflict.ts';

const fanOuts = collection<FanOut>('fan_outs', String, []);

export function createFanOutStore(db: Connection) {
  const model = fanOuts(db);
  return {
    async add(row: FanOut, session: Session): Promise<void> {
      await model.insertMany([row], { session });
    },

    async findAfter(cursor: string, limit: number): Promise<FanOut[]> {
      const later = { _id: { $gt: cursor } };
      return await model.find(later).sort({ _id: 1 }).limit(limit).lean<FanOut[]>();
    },

    /** The revision of the latest change of the receipt that waits; 0: none does. */
    async lastRevision(receiptNumber: string): Promise<number> {
      const ofReceipt = { _id: { $gt: `${receiptNumber}:`, $lt: `${receiptNumber};` } };
      const row = await model.findOne(ofReceipt, { revision: 1 }).sort({ _id: -1 }).lean<FanOut>();
      return row?.revision ?? 0;
    },

    /** The cases up to `caseId` have got the change; null: all. @throws ConflictError if another process was there before */
    async advance({ _id, after_case_id }: FanOut, caseId: number | null, session: Session): Promise<void> {
      const here = { _id, after_case_id };
      const change = { $set: { after_case_id: caseId ?? 0 } };
      const written =
        caseId === null
          ? await model.findOneAndDelete(here, { session }).lean()
          : await model.findOneAndUpdate(here, change, { session }).lean();
      confirm(written !== null, 'fan-out');
    },
  };
}
