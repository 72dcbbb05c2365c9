import type { Language } from '@casewatch/contracts';
import type { Connection, Session } from '@casewatch/platform';
import mongoose from 'mongoose';
import { addQueueIndex, createMailQueue, type MailDelivery, mailDeliveryFields } from './mail-queue.ts';

/** An anonymous request. A loop processes it, so the answer does not depend on the address (quality.md, no enumeration). */
export type AddressRequest = {
  _id: string;
  kind: 'sign_up' | 'resend_verification';
  email: string;
  email_lower: string;
  language: Language;
  notify_by_email: boolean;
  counted_at?: Date;
  created_at: Date;
  expires_at: Date;
  delivery: MailDelivery;
};

const schema = new mongoose.Schema<AddressRequest>(
  {
    _id: String,
    kind: String,
    email: String,
    email_lower: String,
    language: String,
    notify_by_email: Boolean,
    counted_at: Date,
    created_at: Date,
    expires_at: Date,
    delivery: mailDeliveryFields,
  },
  { versionKey: false, id: false, collection: 'address_requests' },
);
schema.index({ email_lower: 1 }, { name: 'address' });
schema.index({ expires_at: 1 }, { name: 'expiry', expireAfterSeconds: 0 });
addQueueIndex(schema);

export function createAddressRequestStore(db: Connection) {
  const model = db.model<AddressRequest>('address_requests', schema);
  return {
    mails: createMailQueue(model),
    async find(id: string) {
      return await model.findById(id).lean<AddressRequest>();
    },
    async insert(request: AddressRequest) {
      await model.insertMany([request]);
    },
    async hasSignUp(emailLower: string) {
      const filter = { email_lower: emailLower, kind: 'sign_up', 'delivery.status': 'queued' } as const;
      return (await model.exists(filter)) !== null;
    },
    async recordCounted(id: string, now: Date, tx: Session) {
      await model.updateOne({ _id: id }, { $set: { counted_at: now } }, { session: tx });
    },
    async remove(id: string, tx: Session) {
      await model.deleteOne({ _id: id }, { session: tx });
    },
    async removeAll(emailLower: string, tx: Session) {
      await model.deleteMany({ email_lower: emailLower }, { session: tx });
    },
  };
}
