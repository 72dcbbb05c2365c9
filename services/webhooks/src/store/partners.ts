import { type Connection, collection, isDuplicateKey, type Session } from '@casewatch/platform';

export type PartnerRow = {
  _id: number;
  webhook_count: number;
  status: 'active' | 'suspended';
  version: number;
};

const partners = collection<PartnerRow>('partners', Number);

export function createPartnerStore(db: Connection) {
  const model = partners(db);

  async function ensure(id: number): Promise<void> {
    const fresh = { webhook_count: 0, status: 'active' as const, version: 0 };
    try {
      await model.updateOne({ _id: id }, { $setOnInsert: fresh }, { upsert: true });
    } catch (error) {
      // Another call inserted the row at the same moment.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  return {
    ensure,
    /** False at the limit. Parallel transactions conflict, so the count is exact. */
    async incrementWithinLimit(session: Session, id: number, limit: number): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { _id: id, webhook_count: { $lt: limit } },
        { $inc: { webhook_count: 1 } },
        { session },
      );
      return matchedCount === 1;
    },
    async decrement(session: Session, id: number) {
      await model.updateOne({ _id: id }, { $inc: { webhook_count: -1 } }, { session });
    },
    async setStatus(id: number, status: PartnerRow['status'], version: number) {
      await ensure(id);
      await model.updateOne({ _id: id, version: { $lt: version } }, { $set: { status, version } });
    },
    async isSuspended(id: number): Promise<boolean> {
      const row = await model.findById(id).select({ status: 1 }).lean();
      return row?.status === 'suspended';
    },
  };
}
