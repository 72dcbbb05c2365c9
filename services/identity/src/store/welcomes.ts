import type { Language } from '@casewatch/contracts';
import { type Connection, collection, type Session } from '@casewatch/platform/database';
import { createMailQueue, type MailDelivery, mailQueueIndex } from './mail-queue.ts';

/**
 * An unknown address that was typed on the front page, with its mail. There is no account before its link is used. `_id`: that of the
 * request, so that the same request makes one row.
 */
export type Welcome = {
  readonly _id: string;
  readonly email: string;
  readonly email_lower: string;
  readonly language: Language;
  readonly used_at: Date | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly delivery: MailDelivery;
};

const welcomes = collection<Welcome>('welcomes', String, [
  { name: 'address', keys: { email_lower: 1 } },
  { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: 0 },
  mailQueueIndex,
]);

export function createWelcomeStore(db: Connection) {
  const model = welcomes(db);
  return {
    mails: createMailQueue(model),
    async find(id: string, tx: Session | null = null) {
      return await model.findById(id).session(tx).lean<Welcome>();
    },
    async insert(welcome: Welcome, tx: Session) {
      await model.insertMany([welcome], { session: tx });
    },
    /** Compare-and-set: of several in parallel, one uses the link. */
    async use(id: string, now: Date, tx: Session) {
      const unused = { _id: id, used_at: null, expires_at: { $gt: now } };
      const { modifiedCount } = await model.updateOne(unused, { $set: { used_at: now } }, { session: tx });
      return modifiedCount === 1;
    },
    async removeAll(emailLower: string, tx: Session) {
      await model.deleteMany({ email_lower: emailLower }, { session: tx });
    },
  };
}
