import { type Connection, collection, erasedIdSeconds } from '@casewatch/platform/database';

type TombstoneRow = { _id: number; deleted_at: Date };

const tombstones = collection<TombstoneRow>('tombstones', Number, [
  { name: 'expiry', keys: { deleted_at: 1 }, expireAfterSeconds: erasedIdSeconds },
]);

/** Deleted users: what arrives about them later, or comes back with a backup, is dropped (architecture.md §3). */
export function createTombstoneStore(db: Connection) {
  const model = tombstones(db);
  return {
    async add(userId: number, deletedAt: Date): Promise<void> {
      await model.updateOne({ _id: userId }, { $setOnInsert: { deleted_at: deletedAt } }, { upsert: true });
    },

    async among(userIds: readonly number[]): Promise<Set<number>> {
      const rows = await model.find({ _id: { $in: [...userIds] } }, { _id: 1 }).lean<{ _id: number }[]>();
      return new Set(rows.map(({ _id }) => _id));
    },

    async has(userId: number): Promise<boolean> {
      return (await model.exists({ _id: userId })) !== null;
    },
  };
}
