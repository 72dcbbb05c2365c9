import type { Connection, Session } from '@casewatch/platform';
import mongoose from 'mongoose';
import { addQueueIndex, createMailQueue, type MailDelivery, mailDeliveryFields } from './mail-queue.ts';

/** One verification mail and its link, for this user and this address. The token follows from the row. */
export type EmailVerification = {
  _id: string;
  user_id: number;
  email_lower: string;
  /** Set when the address changed: the link no longer works. */
  void_at: Date | null;
  created_at: Date;
  expires_at: Date;
  delivery: MailDelivery;
};

const schema = new mongoose.Schema<EmailVerification>(
  {
    _id: String,
    user_id: Number,
    email_lower: String,
    void_at: Date,
    created_at: Date,
    expires_at: Date,
    delivery: mailDeliveryFields,
  },
  { versionKey: false, id: false, collection: 'email_verifications' },
);
schema.index({ user_id: 1 }, { name: 'user' });
schema.index({ expires_at: 1 }, { name: 'expiry', expireAfterSeconds: 7 * 24 * 60 * 60 });
addQueueIndex(schema);

export function createEmailVerificationStore(db: Connection) {
  const model = db.model<EmailVerification>('email_verifications', schema);
  return {
    mails: createMailQueue(model),
    async find(id: string, tx: Session | null = null) {
      return await model.findById(id).session(tx).lean<EmailVerification>();
    },
    async insert(row: EmailVerification, tx: Session) {
      await model.insertMany([row], { session: tx });
    },
    async removeAll(userId: number, tx: Session) {
      await model.deleteMany({ user_id: userId }, { session: tx });
    },
    async voidAll(userId: number, now: Date, tx: Session) {
      await model.updateMany({ user_id: userId, void_at: null }, { $set: { void_at: now } }, { session: tx });
    },
  };
}
