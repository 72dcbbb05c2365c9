import { type Connection, collection, type Session } from '@casewatch/platform/database';
import type { FanOut } from '../domain/fan-out.ts';

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

    /** Notes that the cases up to `caseId` have got the change. False if another process was there before. */
    async advance({ _id, after_case_id }: FanOut, caseId: number, session: Session): Promise<boolean> {
      const change = { $set: { after_case_id: caseId } };
      const { matchedCount } = await model.updateOne({ _id, after_case_id }, change, { session });
      return matchedCount === 1;
    },

    async remove({ _id, after_case_id }: FanOut, session: Session): Promise<boolean> {
      const { deletedCount } = await model.deleteOne({ _id, after_case_id }, { session });
      return deletedCount === 1;
    },
  };
}
