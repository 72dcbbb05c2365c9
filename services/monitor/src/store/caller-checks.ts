import { type Connection, collection } from '@casewatch/platform/database';
import { Types } from 'mongoose';

type CheckRow = { _id: Types.ObjectId; caller: string; receipt_hash: string; at: Date; expires_at: Date };

const callerChecks = collection<CheckRow>('caller_checks', Types.ObjectId, [
  { name: 'runs', keys: { caller: 1, receipt_hash: 1, at: 1 } },
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
]);

export function createCallerCheckStore(db: Connection) {
  const model = callerChecks(db);
  return {
    async add(check: Omit<CheckRow, '_id'>): Promise<void> {
      await model.insertMany([{ _id: new Types.ObjectId(), ...check }]);
    },

    async deleteOfCaller(caller: string): Promise<number> {
      return (await model.deleteMany({ caller })).deletedCount;
    },

    async countAsked(caller: string, hashes: readonly string[], since: Date): Promise<number> {
      const filter = { caller, receipt_hash: { $in: [...hashes] }, at: { $gte: since } };
      return (await model.distinct('receipt_hash', filter)).length;
    },
  };
}
