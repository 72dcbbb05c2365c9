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
      return await model
        .find({ _id: { $gt: cursor } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<FanOut[]>();
    },

    /** The cases up to `caseId` have got the change; null: all. @throws ConflictError if another process was there before */
    async advance({ _id, after_case_id }: FanOut, caseId: number | null, session: Session): Promise<void> {
      const here = { _id, after_case_id };
      const isMine =
        caseId === null
          ? (await model.deleteOne(here, { session })).deletedCount === 1
          : (await model.updateOne(here, { $set: { after_case_id: caseId } }, { session })).matchedCount ===
            1;
      confirm(isMine, 'fan-out');
    },
  };
}
