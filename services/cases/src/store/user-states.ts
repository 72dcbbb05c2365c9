import {
  type Connection,
  collection,
  erasedIdSeconds,
  findRow,
  isDuplicateKey,
  retryOnDuplicate,
  type Session,
} from '@casewatch/platform/database';
import type { UserState } from '../rules/watching.ts';

/** State of a user. A transaction that depends on it also writes it, so that a change conflicts. */
export type UserStateRow = UserState & {
  _id: number;
  active_cases: number;
  /** Missing until the erasure; `$min` would keep null, and the row would never expire. */
  erased_at?: Date;
  /** Grows with each write, so that transactions which depend on the state conflict. */
  followed: number;
};

const userStates = collection<UserStateRow>('user_states', Number, [
  { name: 'expiry', keys: { erased_at: 1 }, expireAfterSeconds: erasedIdSeconds },
]);

export function createUserStateStore(db: Connection) {
  const model = userStates(db);
  return {
    async find(userId: number, session: Session | null = null): Promise<UserStateRow | null> {
      return await findRow(model, userId, session);
    },

    /**
     * Stores a newer state (`newerState`). One command: a transaction in progress that depends on the state ends first.
     * True if the user's cases may have to change: another status, a deletion, or an event that came before.
     */
    async advance(userId: number, { version, status, deleted }: UserState): Promise<boolean> {
      const older = { deleted: { $ne: true }, ...(!deleted && { version: { $lt: version } }) };
      const change = { $set: { version, status, deleted }, $inc: { active_cases: 0, followed: 1 } };
      try {
        const before = await retryOnDuplicate(() =>
          model
            .findOneAndUpdate({ _id: userId, ...older }, change, { upsert: true, returnDocument: 'before' })
            .lean<UserStateRow>(),
        );
        return before?.status !== status || deleted;
      } catch (error) {
        // The stored state is not older, so the upsert tried to insert another row.
        if (!isDuplicateKey(error)) throw error;
        return true;
      }
    },

    /** Counts one more active case and stores a newer state. Returns the row after that. */
    async reserve(session: Session, userId: number, received: UserState): Promise<UserStateRow> {
      const { version, status, deleted } = received;
      // As `newerState`.
      const isNewer = {
        $and: [{ $ne: ['$deleted', true] }, { $lt: [{ $ifNull: ['$version', -1] }, version] }],
      };
      const set = {
        version: { $cond: [isNewer, version, '$version'] },
        status: { $cond: [isNewer, status, '$status'] },
        deleted: { $cond: [isNewer, deleted, '$deleted'] },
        active_cases: { $add: [{ $ifNull: ['$active_cases', 0] }, 1] },
        followed: { $add: [{ $ifNull: ['$followed', 0] }, 1] },
      };
      const options = { session, upsert: true, returnDocument: 'after', updatePipeline: true } as const;
      return await model
        .findOneAndUpdate({ _id: userId }, [{ $set: set }], options)
        .lean<UserStateRow>()
        .orFail();
    },

    async release(session: Session, userId: number): Promise<void> {
      await model.updateOne({ _id: userId }, { $inc: { active_cases: -1, followed: 1 } }, { session });
    },

    async tombstone(session: Session, userId: number, at: Date): Promise<void> {
      // The time of the first erasure stays.
      const change = { $set: { active_cases: 0 }, $min: { erased_at: at } };
      await model.updateOne({ _id: userId }, change, { session });
    },

    /** The state, which no other transaction can change until this one ends. */
    async lock(session: Session, userId: number): Promise<UserStateRow | null> {
      return await model
        .findOneAndUpdate({ _id: userId }, { $inc: { followed: 1 } }, { session, returnDocument: 'after' })
        .lean<UserStateRow>();
    },
  };
}
