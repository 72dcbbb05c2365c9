import type { Connection } from '@casewatch/platform';
import mongoose from 'mongoose';

type CheckRow = { caller: string; receipt_hash: string; at: Date; expires_at: Date };

const schema = new mongoose.Schema<CheckRow>(
  { caller: String, receipt_hash: String, at: Date, expires_at: Date },
  { versionKey: false, id: false, collection: 'caller_checks' },
);
schema.index({ caller: 1, receipt_hash: 1, at: 1 }, { name: 'runs' });
schema.index({ expires_at: 1 }, { name: 'expiry', expireAfterSeconds: 0 });

/** The collection `caller_checks`: live checks by caller and receipt (keyed hash). */
export function createCallerCheckStore(db: Connection) {
  const model = db.model<CheckRow>('caller_checks', schema);
  return {
    async add(row: CheckRow): Promise<void> {
      await model.insertMany([row]);
    },

    async countAsked(caller: string, hashes: readonly string[], since: Date): Promise<number> {
      const filter = { caller, receipt_hash: { $in: [...hashes] }, at: { $gte: since } };
      return (await model.distinct('receipt_hash', filter)).length;
    },
  };
}
