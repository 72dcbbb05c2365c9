import type { PartnerSetting, SecondFactorChange } from '@casewatch/contracts';
import { type Connection, collection, type Session } from '@casewatch/platform/database';
import { createMailQueue, type MailDelivery, mailQueueIndex } from './mail-queue.ts';
import { removeSomeOf } from './remove-some.ts';

/**
 * A mail that tells a member of a sign-in from a network or browser that is new for the member (`_id`: of the session), that
 * settings of the firm changed, what happened to the member's second factor, or that the firm is deleted.
 */
export type StaffNotice = {
  readonly _id: string;
  readonly kind: 'signed_in' | 'settings_changed' | 'second_factor_changed' | 'partner_deletion';
  readonly settings: readonly PartnerSetting[];
  /** Only of the second factor. */
  readonly second_factor?: { readonly change: SecondFactorChange; readonly codes_left: number };
  /** Of `partner_deletion`: until when it can be undone. */
  readonly ends_at?: Date;
  readonly staff_id: number;
  readonly partner_id: number;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly delivery: MailDelivery;
};

const notices = collection<StaffNotice>('staff_notices', String, [
  { name: 'staff', keys: { staff_id: 1 } },
  // The erasure of a partner, and the end of its access.
  { name: 'partner', keys: { partner_id: 1 } },
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
  mailQueueIndex,
]);

export function createStaffNoticeStore(db: Connection) {
  const model = notices(db);
  return {
    mails: createMailQueue(model),
    async find(id: string) {
      return await model.findById(id).lean<StaffNotice>();
    },
    async removeSome(partnerId: number, limit: number) {
      return await removeSomeOf(model, partnerId, limit);
    },
    /** Newest first. */
    async listOf(staffId: number) {
      return await model
        .find({ staff_id: staffId })
        .sort({ created_at: -1 })
        .limit(1_000)
        .lean<StaffNotice[]>();
    },
    async insert(notice: StaffNotice, tx: Session) {
      await model.insertMany([notice], { session: tx });
    },
    async removeAll(staffId: number, tx: Session) {
      await model.deleteMany({ staff_id: staffId }, { session: tx });
    },
  };
}
