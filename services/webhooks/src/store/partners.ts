import { type Connection, collection, isDuplicateKey, type Session } from '@casewatch/platform';

/** What this service keeps of a partner: how many endpoints it has, and whether it is suspended. */
export type PartnerRow = {
  _id: number;
  webhook_count: number;
  status: 'active' | 'suspended';
  /** The highest `partner.updated` seen. */
  version: number;
};

const partners = collection<PartnerRow>('partners', Number);

/** One row per partner; made when it is first needed. */
export function createPartnerStore(db: Connection) {
  const model = partners(db);

  async function ensure(id: number): Promise<void> {
    const fresh = { webhook_count: 0, status: 'active' as const, version: 0 };
    try {
      await model.updateOne({ _id: id }, { $setOnInsert: fresh }, { upsert: true });
    } catch (error) {
      // Another call made it at the same moment: it is there now.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  return {
    ensure,
    /**
     * Counts one endpoint more, exactly: transactions that do this at once conflict, and all but one try again.
     * @returns false where the limit is reached
     */
    async countOneMore(session: Session, id: number, limit: number): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { _id: id, webhook_count: { $lt: limit } },
        { $inc: { webhook_count: 1 } },
        { session },
      );
      return matchedCount === 1;
    },
    async countOneLess(session: Session, id: number) {
      await model.updateOne({ _id: id }, { $inc: { webhook_count: -1 } }, { session });
    },
    /** Keeps the higher version. */
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
