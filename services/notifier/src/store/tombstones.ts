import { type Connection, collection } from '@casewatch/platform/database';

type TombstoneRow = { _id: number; deleted_at: Date };

const keepSeconds = 30 * 24 * 60 * 60;

const tombstones = collection<TombstoneRow>('tombstones', Number, [
  { name: 'expiry', keys: { deleted_at: 1 }, expireAfterSeconds: keepSeconds },
]);

/** Deleted users: events about them that come later are dropped (architecture.md §3). */
export function createTombstoneStore(db: Connection) {
  const model = tombstones(db);
  return {
    async add(userId: number, now: Date): Promise<void> {
      await model.updateOne({ _id: userId }, { $setOnInsert: { deleted_at: now } }, { upsert: true });
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
