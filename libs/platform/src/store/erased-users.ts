import { erasedIdDays } from '@casewatch/contracts';
import { collection, findRows, updateRows } from './collection.ts';
import type { Connection, Session } from './mongo.ts';

type ErasedUserRow = { _id: number; erased_at: Date };

/** A person whose data is erased. `erased_at`: by identity. */
export type Erasure = { readonly user_id: number; readonly erased_at: Date };

export const erasedIdSeconds = erasedIdDays * 24 * 60 * 60;

export const erasedUsers = collection<ErasedUserRow>('erased_users', Number, [
  { name: 'expiry', keys: { erased_at: 1 }, expireAfterSeconds: erasedIdSeconds },
]);

/** Ids of erased people: what arrives about them later, or comes back with a backup, is not taken. */
export function createErasedUserStore(db: Connection) {
  const model = erasedUsers(db);
  return {
    /** The time of the first erasure stays. */
    async addAll(erasures: readonly Erasure[], session?: Session): Promise<void> {
      const updates = erasures.map(({ user_id: _id, erased_at }) => ({
        updateOne: { filter: { _id }, update: { $setOnInsert: { erased_at } }, upsert: true },
      }));
      await updateRows(model, updates, session && { session });
    },
    async among(userIds: readonly number[], session: Session | null = null): Promise<Set<number>> {
      const rows = await findRows(model, { _id: { $in: [...userIds] } }, { session });
      return new Set(rows.map(({ _id }) => _id));
    },
  };
}
