import { collection, type Connection, findSurely, type Session } from '@casewatch/platform/database';
import { removeSomeOf } from './remove-some.ts';

/** A member of staff who is signed in to the console, in one browser. Each token is one generation of it. */
export type StaffSession = {
  readonly _id: string;
  readonly staff_id: number;
  readonly partner_id: number;
  readonly generation: number;
  readonly pepper_id: string;
  readonly rotated_at: Date;
  readonly signed_in_at: Date;
  readonly expires_at: Date;
  readonly idle_expires_at: Date;
  readonly ended_at: Date | null;
  /** Whether the second factor of the member stands behind it; missing: no. */
  readonly has_second_factor?: boolean;
  /** Where it began, for the member to recognize. `network`: the /24 or /48 of the address. */
  readonly browser: string;
  readonly network: string | null;
};

type Row = StaffSession & { readonly delete_at: Date };

const sessions = collection<Row>('staff_sessions', String, [
  { name: 'staff', keys: { staff_id: 1 } },
  // The erasure of a partner, and the end of its access.
  { name: 'partner', keys: { partner_id: 1 } },
  { name: 'kept', keys: { delete_at: 1 }, expireAfterSeconds: 0 },
]);

/** How long a row is kept after the session's end, ms (quality.md, How long things are kept). */
const keptMs = 30 * 24 * 60 * 60 * 1000;

const keptAfter = (end: Date) => new Date(end.getTime() + keptMs);
const endAt = (now: Date) => ({ $set: { ended_at: now, delete_at: keptAfter(now) } });

export function createStaffSessionStore(db: Connection) {
  const model = sessions(db);
  return {
    async find(id: string) {
      return await findSurely(model, { _id: id });
    },
    /** The newest thousand. */
    async listOf(staffId: number) {
      return await model
        .find({ staff_id: staffId })
        .sort({ signed_in_at: -1 })
        .limit(1_000)
        .lean<StaffSession[]>();
    },
    async removeSome(partnerId: number, limit: number) {
      return await removeSomeOf(model, partnerId, limit);
    },
    async insert(row: StaffSession, tx: Session) {
      await model.insertMany([{ ...row, delete_at: keptAfter(row.idle_expires_at) }], { session: tx });
    },
    /** Compare-and-set; null if another renewal came first or the session ended. */
    async rotate(
      { _id, generation }: StaffSession,
      next: { now: Date; idleExpiresAt: Date; pepperId: string },
    ) {
      const set = {
        generation: generation + 1,
        pepper_id: next.pepperId,
        rotated_at: next.now,
        idle_expires_at: next.idleExpiresAt,
        delete_at: keptAfter(next.idleExpiresAt),
      };
      return await model
        .findOneAndUpdate({ _id, generation, ended_at: null }, { $set: set }, { returnDocument: 'after' })
        .lean<StaffSession>();
    },
    async end(id: string, now: Date, tx: Session) {
      await model.updateOne({ _id: id, ended_at: null }, endAt(now), { session: tx });
    },
    /** The session of a member who set up a second factor in it; all others of the member end. */
    async keepProven(staffId: number, id: string, now: Date, tx: Session) {
      await model.updateOne({ _id: id }, { $set: { has_second_factor: true } }, { session: tx });
      const others = { staff_id: staffId, _id: { $ne: id }, ended_at: null };
      await model.updateMany(others, endAt(now), { session: tx });
    },
    /** Ends what was opened without a second factor. */
    async endUnproven(staffIds: readonly number[], now: Date, tx: Session) {
      const unproven = { staff_id: { $in: [...staffIds] }, ended_at: null, has_second_factor: { $ne: true } };
      await model.updateMany(unproven, endAt(now), { session: tx });
    },
    async endAllOfPartner(partnerId: number, now: Date, tx: Session) {
      await model.updateMany({ partner_id: partnerId, ended_at: null }, endAt(now), { session: tx });
    },
    async removeAll(staffId: number, tx: Session) {
      await model.deleteMany({ staff_id: staffId }, { session: tx });
    },
    async endAll(staffId: number, now: Date, tx: Session) {
      await model.updateMany({ staff_id: staffId, ended_at: null }, endAt(now), { session: tx });
    },
  };
}
