import { type Connection, collection, type Session } from '@casewatch/platform/database';
import { createMailQueue, type MailDelivery, mailQueueIndex } from './mail-queue.ts';
import { removeSomeOf } from './remove-some.ts';

/** An invitation, with its mail. The token of its link is derived from it. */
export type StaffInvitation = {
  readonly _id: string;
  readonly partner_id: number;
  readonly staff_id: number;
  readonly email_lower: string;
  readonly used_at: Date | null;
  readonly void_at: Date | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly delivery: MailDelivery;
};

const invitations = collection<StaffInvitation>('staff_invitations', String, [
  { name: 'staff', keys: { staff_id: 1 } },
  // The erasure of a partner, and the end of its access.
  { name: 'partner', keys: { partner_id: 1 } },
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
  mailQueueIndex,
]);

export function createStaffInvitationStore(db: Connection) {
  const model = invitations(db);
  return {
    mails: createMailQueue(model),
    async find(id: string, tx: Session | null = null) {
      return await model.findById(id).session(tx).lean<StaffInvitation>();
    },
    /** Newest first. */
    async listOf(staffId: number) {
      return await model.find({ staff_id: staffId }).sort({ created_at: -1 }).lean<StaffInvitation[]>();
    },
    async removeSome(partnerId: number, limit: number) {
      return await removeSomeOf(model, partnerId, limit);
    },
    async insert(invitation: StaffInvitation, tx: Session) {
      await model.insertMany([invitation], { session: tx });
    },
    /** Compare-and-set: of several in parallel, one uses the invitation. */
    async use(id: string, now: Date, tx: Session) {
      const unused = { _id: id, used_at: null, void_at: null, expires_at: { $gt: now } };
      const { modifiedCount } = await model.updateOne(unused, { $set: { used_at: now } }, { session: tx });
      return modifiedCount === 1;
    },
    async voidAll(staffId: number, now: Date, tx: Session) {
      const open = { staff_id: staffId, used_at: null, void_at: null };
      await model.updateMany(open, { $set: { void_at: now } }, { session: tx });
    },
    async removeAll(staffId: number, tx: Session) {
      await model.deleteMany({ staff_id: staffId }, { session: tx });
    },
  };
}
