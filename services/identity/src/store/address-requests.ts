import type { Language } from '@casewatch/contracts';
import { type Connection, collection, type Session } from '@casewatch/platform/database';
import { createMailQueue, type MailDelivery, mailQueueIndex } from './mail-queue.ts';

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

const addressRequests = collection<AddressRequest>('address_requests', String, [
  { name: 'address', keys: { email_lower: 1 } },
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
  mailQueueIndex,
]);

export function createAddressRequestStore(db: Connection) {
  const model = addressRequests(db);
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
