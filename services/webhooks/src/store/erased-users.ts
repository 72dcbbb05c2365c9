import { type Connection, collection, findRows } from '@casewatch/platform/database';
import { insertNew } from './insert-new.ts';

type ErasedUserRow = { _id: number; erased_at: Date };

/** Longer than an event can be delayed (quality.md, How long things are kept). */
const keepSeconds = 30 * 24 * 60 * 60;

export const erasedUsers = collection<ErasedUserRow>('erased_users', Number, [
  { name: 'expiry', keys: { erased_at: 1 }, expireAfterSeconds: keepSeconds },
]);

/** Tombstones: events about these users that come later are dropped (webhooks.md, Delivery). */
export function createErasedUserStore(db: Connection) {
  const model = erasedUsers(db);
  return {
    async addAll(userIds: readonly number[], at: Date) {
      await insertNew(
        model,
        [...new Set(userIds)].map((_id) => ({ _id, erased_at: at })),
      );
    },
    async among(userIds: readonly number[]): Promise<Set<number>> {
      const rows = await findRows(model, { _id: { $in: [...userIds] } });
      return new Set(rows.map(({ _id }) => _id));
    },
  };
}
