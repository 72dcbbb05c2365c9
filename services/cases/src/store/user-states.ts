import { type Connection, collection, type Session } from '@casewatch/platform';
import type { UserState } from '../domain/user-state.ts';

/** State of a user. A transaction that depends on it also writes it, so that a change conflicts (architecture.md §4). */
export type UserStateRow = UserState & {
  _id: number;
  active_cases: number;
  erased_at: Date | null;
  /** Number of transactions that depended on the state. */
  followed: number;
};

const tombstoneSeconds = 30 * 24 * 60 * 60;

const userStates = collection<UserStateRow>('user_states', Number, [
  { name: 'expiry', keys: { erased_at: 1 }, expireAfterSeconds: tombstoneSeconds },
]);

export function createUserStateStore(db: Connection) {
  const model = userStates(db);
  return {
    async find(userId: number, session: Session | null = null): Promise<UserStateRow | null> {
      return await model.findById(userId).session(session).lean<UserStateRow>();
    },

    /** Stores a newer state and adds `cases` to `active_cases`. */
    async upsert(session: Session, userId: number, state: UserState, cases = 0): Promise<void> {
      const { version, status, deleted } = state;
      const change = { $set: { version, status, deleted }, $inc: { active_cases: cases, followed: 1 } };
      await model.updateOne({ _id: userId }, change, { session, upsert: true });
    },

    async release(session: Session, userId: number): Promise<void> {
      await model.updateOne({ _id: userId }, { $inc: { active_cases: -1, followed: 1 } }, { session });
    },

    async tombstone(session: Session, userId: number, at: Date): Promise<void> {
      await model.updateOne({ _id: userId }, { $set: { active_cases: 0, erased_at: at } }, { session });
    },

    /** The state, which no other transaction can change until this one ends. */
    async lock(session: Session, userId: number): Promise<UserStateRow | null> {
      return await model
        .findOneAndUpdate({ _id: userId }, { $inc: { followed: 1 } }, { session, returnDocument: 'after' })
        .lean<UserStateRow>();
    },
  };
}
