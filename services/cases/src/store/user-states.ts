import { type Connection, collection, type Session } from '@casewatch/platform';
import type { UserState } from '../domain/user-state.ts';

/**
 * What cases knows of a user, by events or from identity's answer (architecture.md §4). Every transaction that depends
 * on it writes it, so that none of them runs beside a change of it.
 */
export type UserStateRow = UserState & {
  _id: number;
  active_cases: number;
  /** When the user was erased; the row then stays 30 days as a tombstone. */
  erased_at: Date | null;
  /** Counts the transactions that follow from the state. */
  followed: number;
};

const tombstoneSeconds = 30 * 24 * 60 * 60;

const userStates = collection<UserStateRow>('user_states', Number, [
  { name: 'expiry', keys: { erased_at: 1 }, expireAfterSeconds: tombstoneSeconds },
]);

/** The collection `user_states`: its named queries. */
export function createUserStateStore(db: Connection) {
  const model = userStates(db);
  return {
    async find(userId: number, session: Session | null = null): Promise<UserStateRow | null> {
      return await model.findById(userId).session(session).lean<UserStateRow>();
    },

    /** Writes a state that was found to be the newer, and adds to `active_cases`. */
    async put(
      session: Session,
      userId: number,
      { version, status, deleted }: UserState,
      cases = 0,
    ): Promise<void> {
      await model.updateOne(
        { _id: userId },
        { $set: { version, status, deleted }, $inc: { active_cases: cases, followed: 1 } },
        { session, upsert: true },
      );
    },

    /** One active case less. */
    async release(session: Session, userId: number): Promise<void> {
      await model.updateOne({ _id: userId }, { $inc: { active_cases: -1, followed: 1 } }, { session });
    },

    /** All cases of an erased user are gone: what is left is the tombstone. */
    async bury(session: Session, userId: number, at: Date): Promise<void> {
      await model.updateOne({ _id: userId }, { $set: { active_cases: 0, erased_at: at } }, { session });
    },

    /** The state, held still until the transaction ends. */
    async follow(session: Session, userId: number): Promise<UserStateRow | null> {
      return await model
        .findOneAndUpdate({ _id: userId }, { $inc: { followed: 1 } }, { session, returnDocument: 'after' })
        .lean<UserStateRow>();
    },
  };
}
