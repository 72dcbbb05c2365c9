import {
  type Connection,
  collection,
  erasedIdSeconds,
  retryOnDuplicate,
  type Session,
} from '@casewatch/platform/database';

/** A member of a firm's staff to whom cases were assigned, or who was removed. */
export type StaffStateRow = {
  _id: number;
  /** Missing until the removal: a row expires after it. */
  removed_at?: Date;
  /** Grows with each assignment, so that assignments and the removal conflict. */
  followed: number;
};

const staffStates = collection<StaffStateRow>('staff_states', Number, [
  { name: 'expiry', keys: { removed_at: 1 }, expireAfterSeconds: erasedIdSeconds },
]);

export function createStaffStateStore(db: Connection) {
  const model = staffStates(db);
  return {
    /** Before a case is assigned: a removal in parallel ends before the transaction, or after it. False if the member is removed. */
    async follow(session: Session, staffId: number): Promise<boolean> {
      const row = await model
        .findOneAndUpdate(
          { _id: staffId },
          { $inc: { followed: 1 } },
          { session, upsert: true, returnDocument: 'after' },
        )
        .lean<StaffStateRow>()
        .orFail();
      return row.removed_at === undefined;
    },

    /** The time of the first removal stays. */
    async remove(staffId: number, at: Date): Promise<void> {
      const change = { $min: { removed_at: at }, $inc: { followed: 1 } };
      await retryOnDuplicate(() => model.updateOne({ _id: staffId }, change, { upsert: true }));
    },
  };
}
