import {
  type Connection,
  collection,
  erasedIdSeconds,
  erasedUsers,
  isDuplicateKey,
  type Session,
} from '@casewatch/platform/database';

export type PartnerRow = {
  _id: number;
  webhook_count: number;
  /** `deleted`: what arrives about the partner later is dropped. */
  status: 'active' | 'suspended' | 'deleted';
  deleted_at?: Date;
  version: number;
  /** Raised with each change of the partner's endpoints. */
  webhooks_revision: number;
};

export type PartnerStore = ReturnType<typeof createPartnerStore>;

/** `now`: the database's time. */
export type PartnerState = Pick<PartnerRow, '_id' | 'status' | 'webhook_count'> & {
  revision: number;
  now: Date;
};

const partners = collection<PartnerRow>('partners', Number, [
  { name: 'expiry', keys: { deleted_at: 1 }, expireAfterSeconds: erasedIdSeconds },
]);

export function createPartnerStore(db: Connection) {
  const model = partners(db);
  const coll = erasedUsers(db).collection.name;

  async function ensure(id: number): Promise<void> {
    const fresh = { webhook_count: 0, webhooks_revision: 0, status: 'active' as const, version: 0 };
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
        { _id: id, webhook_count: { $lt: limit }, status: { $ne: 'deleted' } },
        { $inc: { webhook_count: 1, webhooks_revision: 1 } },
        { session },
      );
      return matchedCount === 1;
    },
    async decrement(session: Session, id: number) {
      const change = { webhook_count: -1, webhooks_revision: 1 };
      await model.updateOne({ _id: id }, { $inc: change }, { session });
    },
    /** In the transaction of the change, so that cached subscriptions are never older than the database. */
    async raiseRevision(session: Session, id: number) {
      await model.updateOne({ _id: id }, { $inc: { webhooks_revision: 1 } }, { session });
    },
    async states(ids: readonly number[]): Promise<PartnerState[]> {
      return await model.aggregate<PartnerState>(statesOf(ids));
    },
    /** The same, and which of the users are erased: one command instead of two. */
    async statesAndErased(
      ids: readonly number[],
      userIds: readonly number[],
    ): Promise<{ states: PartnerState[]; erased: Set<number> }> {
      const tombstones = [
        { $match: { _id: { $in: [...userIds] } } },
        { $project: { _id: 0, erased: '$_id' } },
      ];
      const union = userIds.length === 0 ? [] : [{ $unionWith: { coll, pipeline: tombstones } }];
      const rows = await model.aggregate<PartnerState | { erased: number }>([...statesOf(ids), ...union]);
      const isState = (row: (typeof rows)[number]): row is PartnerState => !('erased' in row);
      const erased = rows.flatMap((row) => (isState(row) ? [] : row.erased));
      return { states: rows.filter(isState), erased: new Set(erased) };
    },
    async setStatus(id: number, status: PartnerRow['status'], version: number) {
      await ensure(id);
      const older = { _id: id, version: { $lt: version }, status: { $ne: 'deleted' as const } };
      await model.updateOne(older, { $set: { status, version } });
    },
    /** The time of the first deletion stays. */
    async setDeleted(id: number, at: Date) {
      await ensure(id);
      const change = { $set: { status: 'deleted' as const }, $min: { deleted_at: at } };
      await model.updateOne({ _id: id }, { ...change, $inc: { webhooks_revision: 1 } });
    },
    async isDeleted(id: number): Promise<boolean> {
      return (await model.exists({ _id: id, status: 'deleted' })) !== null;
    },
  };
}

function statesOf(ids: readonly number[]) {
  return [
    { $match: { _id: { $in: [...ids] } } },
    { $project: { status: 1, webhook_count: 1, revision: '$webhooks_revision', now: '$$NOW' } },
  ];
}
