import type { Connection, Session } from '@casewatch/platform';
import mongoose from 'mongoose';
import type { EmailChange } from '../domain/email-change.ts';
import { addQueueIndex, createMailQueue, type MailDelivery, mailDeliveryFields } from './mail-queue.ts';

/** A change together with its mail to the old address. */
type EmailChangeRow = EmailChange & { readonly delivery: MailDelivery };

const schema = new mongoose.Schema<EmailChangeRow>(
  {
    _id: String,
    user_id: Number,
    old_email: String,
    old_verified_at: Date,
    undone_at: Date,
    void_at: Date,
    created_at: Date,
    expires_at: Date,
    delivery: mailDeliveryFields,
  },
  { versionKey: false, id: false, collection: 'email_changes' },
);
schema.index({ user_id: 1 }, { name: 'user' });
schema.index({ expires_at: 1 }, { name: 'expiry', expireAfterSeconds: 0 });
addQueueIndex(schema);

export function createEmailChangeStore(db: Connection) {
  const model = db.model<EmailChangeRow>('email_changes', schema);
  return {
    mails: createMailQueue(model),
    async find(id: string, tx: Session | null = null) {
      return await model.findById(id).session(tx).lean<EmailChange>();
    },
    async insert(row: EmailChangeRow, tx: Session) {
      await model.insertMany([row], { session: tx });
    },
    /**
     * Notes that a change was undone, and with it those that came after it: whoever made them could else take the address
     * back from where they had moved it.
     */
    async markUndone(change: EmailChange, now: Date, tx: Session) {
      await model.updateOne({ _id: change._id }, { $set: { undone_at: now } }, { session: tx });
      const later = { user_id: change.user_id, _id: { $ne: change._id }, void_at: null };
      await model.updateMany(
        { ...later, created_at: { $gte: change.created_at } },
        { $set: { void_at: now } },
        { session: tx },
      );
    },
    async voidAll(userId: number, now: Date, tx: Session) {
      await model.updateMany({ user_id: userId, void_at: null }, { $set: { void_at: now } }, { session: tx });
    },
    async removeAll(userId: number, tx: Session) {
      await model.deleteMany({ user_id: userId }, { session: tx });
    },
  };
}
