import { type Connection, collection, erasedIdSeconds } from '@casewatch/platform/database';

type TombstoneRow = { _id: number; deleted_at: Date };

const tombstones = tombstoneCollection('tombstones');
const staffTombstones = tombstoneCollection('staff_tombstones');
const partnerTombstones = tombstoneCollection('partner_tombstones');

function tombstoneCollection(name: string) {
  return collection<TombstoneRow>(name, Number, [
    { name: 'expiry', keys: { deleted_at: 1 }, expireAfterSeconds: erasedIdSeconds },
  ]);
}

/** Deleted users: what arrives about them later, or comes back with a backup, is dropped (architecture.md §3). */
export function createTombstoneStore(db: Connection) {
  return createStoreOf(tombstones(db));
}

/** Removed members of partners' staff. Their ids are the same numbers as those of users. */
export function createStaffTombstoneStore(db: Connection) {
  return createStoreOf(staffTombstones(db));
}

/** Partners who were erased with all data. */
export function createPartnerTombstoneStore(db: Connection) {
  return createStoreOf(partnerTombstones(db));
}

function createStoreOf(model: ReturnType<typeof tombstones>) {
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
