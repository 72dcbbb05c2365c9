import type { Language } from '@casewatch/contracts';
import type { Connection, Session } from '@casewatch/platform';
import mongoose from 'mongoose';
import { addQueueIndex, createMailQueue, type MailDelivery, mailDeliveryFields } from './mail-queue.ts';

/** A request for a login code, also for an unknown address. The code is derived from `_id` and the pepper. */
export type LoginChallenge = {
  _id: string;
  email_lower: string;
  address_mac: string;
  /** Absent in rows of an older release. */
  pepper_id?: string;
  language: Language | null;
  tries: number;
  used_at: Date | null;
  created_at: Date;
  expires_at: Date;
  delivery: MailDelivery;
};

/** Tries of one code (interface.md §4, Tokens). */
const maxTries = 5;

const schema = new mongoose.Schema<LoginChallenge>(
  {
    _id: String,
    email_lower: String,
    address_mac: String,
    pepper_id: String,
    language: String,
    tries: Number,
    used_at: Date,
    created_at: Date,
    expires_at: Date,
    delivery: mailDeliveryFields,
  },
  { versionKey: false, id: false, collection: 'login_challenges' },
);
schema.index({ email_lower: 1, address_mac: 1 }, { name: 'address' });
// One day (quality.md, How long things are kept).
schema.index({ created_at: 1 }, { name: 'kept', expireAfterSeconds: 24 * 60 * 60 });
addQueueIndex(schema);

export type ChallengeFilter = { email_lower: string } & (
  | { _id: string }
  | { address_mac: { $in: string[] } }
);

export function createLoginChallengeStore(db: Connection) {
  const model = db.model<LoginChallenge>('login_challenges', schema);
  return {
    mails: createMailQueue(model),
    async find(id: string) {
      return await model.findById(id).lean<LoginChallenge>();
    },
    async insert(challenge: LoginChallenge) {
      await model.insertMany([challenge]);
    },
    async removeAll(emailLower: string, tx: Session) {
      await model.deleteMany({ email_lower: emailLower }, { session: tx });
    },
    async live(filter: ChallengeFilter, now: Date) {
      return await model
        .find({ ...filter, used_at: null, expires_at: { $gt: now } })
        .sort({ created_at: -1 })
        .lean<LoginChallenge[]>();
    },
    async takeTry(id: string, now: Date) {
      const { modifiedCount } = await model.updateOne(
        { _id: id, used_at: null, expires_at: { $gt: now }, tries: { $lt: maxTries } },
        { $inc: { tries: 1 } },
      );
      return modifiedCount === 1;
    },
    async consume(id: string, now: Date, tx: Session) {
      const { modifiedCount } = await model.updateOne(
        { _id: id, used_at: null },
        { $set: { used_at: now } },
        { session: tx },
      );
      return modifiedCount === 1;
    },
  };
}
