import { type Connection, collection } from '@casewatch/platform';

type ErasedUserRow = { _id: number; erased_at: Date };

/** Longer than an event can be delayed (quality.md, How long things are kept). */
const keepSeconds = 30 * 24 * 60 * 60;

const erasedUsers = collection<ErasedUserRow>('erased_users', Number, [
  { name: 'expiry', keys: { erased_at: 1 }, expireAfterSeconds: keepSeconds },
]);

/** Tombstones: events about these users that come later are dropped (webhooks.md, Delivery). */
export function createErasedUserStore(db: Connection) {
  const model = erasedUsers(db);
  return {
    async add(userId: number, at: Date) {
      await model.updateOne({ _id: userId }, { $setOnInsert: { erased_at: at } }, { upsert: true });
    },
    async has(userId: number): Promise<boolean> {
      return (await model.exists({ _id: userId })) !== null;
    },
  };
}
