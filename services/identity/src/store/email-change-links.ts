import type { Connection, Session } from '@casewatch/platform';
import mongoose from 'mongoose';
import type { EmailChangeLink } from '../domain/email-change-link.ts';
import { addQueueIndex, createMailQueue, type MailDelivery, mailDeliveryFields } from './mail-queue.ts';

/** A link together with the mail that brings it. */
type EmailChangeLinkRow = EmailChangeLink & { readonly delivery: MailDelivery };

const schema = new mongoose.Schema<EmailChangeLinkRow>(
  {
    _id: String,
    user_id: Number,
    side: String,
    old_email: String,
    old_verified_at: Date,
    new_email: String,
    proven_at: Date,
    undone_at: Date,
    void_at: Date,
    created_at: Date,
    expires_at: Date,
    delivery: mailDeliveryFields,
  },
  { versionKey: false, id: false, collection: 'email_change_links' },
);
schema.index({ user_id: 1 }, { name: 'user' });
schema.index({ expires_at: 1 }, { name: 'expiry', expireAfterSeconds: 7 * 24 * 60 * 60 });
addQueueIndex(schema);

export function createEmailChangeLinkStore(db: Connection) {
  const model = db.model<EmailChangeLinkRow>('email_change_links', schema);
  return {
    mails: createMailQueue(model),
    async find(id: string, tx: Session | null = null) {
      return await model.findById(id).session(tx).lean<EmailChangeLink>();
    },
    async insert(rows: EmailChangeLinkRow[], tx: Session) {
      await model.insertMany(rows, { session: tx });
    },
    /** Notes that the new address is proven, in the link to it. */
    async markProven(userId: number, now: Date, tx: Session) {
      const live = { user_id: userId, side: 'new', void_at: null } as const;
      await model.updateMany(live, { $set: { proven_at: now } }, { session: tx });
    },
    /** Notes that the change was stopped by this link; the user's others are void. */
    async markUndone(id: string, userId: number, now: Date, tx: Session) {
      await model.updateOne({ _id: id }, { $set: { undone_at: now } }, { session: tx });
      const others = { user_id: userId, _id: { $ne: id }, void_at: null };
      await model.updateMany(others, { $set: { void_at: now } }, { session: tx });
    },
    async voidAll(userId: number, now: Date, tx: Session) {
      await model.updateMany({ user_id: userId, void_at: null }, { $set: { void_at: now } }, { session: tx });
    },
    async removeAll(userId: number, tx: Session) {
      await model.deleteMany({ user_id: userId }, { session: tx });
    },
  };
}
