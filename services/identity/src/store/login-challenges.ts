import type { Language } from '@casewatch/contracts';
import { type Connection, collection, type Session } from '@casewatch/platform/database';
import { createMailQueue, type MailDelivery, mailQueueIndex } from './mail-queue.ts';

/** Of whom a code is: codes of members are refused where people sign in, and the reverse. */
export type CodePurpose = 'person' | 'staff';

/** A request for a login code, also for an unknown address. The code is derived from `_id` and the pepper. */
export type LoginChallenge = {
  _id: string;
  /** Missing: of people. */
  purpose?: 'staff';
  email_lower: string;
  /** Of the front page: the address as it was typed. Where nobody has it, it gets a welcome instead of the code. It proves no `pending_email`. */
  typed_email?: string;
  address_mac: string;
  pepper_id: string;
  language: Language | null;
  tries: number;
  used_at: Date | null;
  created_at: Date;
  expires_at: Date;
  delivery: MailDelivery;
};

/** Tries of one code (interface.md §4, Tokens). */
export const maxTries = 5;

const loginChallenges = collection<LoginChallenge>('login_challenges', String, [
  { name: 'address', keys: { email_lower: 1, address_mac: 1 } },
  // One day (quality.md, How long things are kept).
  { name: 'kept', keys: { created_at: 1 }, expireAfterSeconds: 24 * 60 * 60 },
  mailQueueIndex,
]);

export type ChallengeFilter = { email_lower: string; purpose: CodePurpose } & (
  | { _id: string }
  | { address_mac: { $in: string[] } }
);

export function createLoginChallengeStore(db: Connection) {
  const model = loginChallenges(db);
  return {
    mails: createMailQueue(model),
    async find(id: string) {
      return await model.findById(id).lean<LoginChallenge>();
    },
    async insert(challenge: LoginChallenge) {
      await model.insertMany([challenge]);
    },
    async removeAll(emailLower: string, purpose: CodePurpose, tx: Session) {
      await model.deleteMany({ email_lower: emailLower, ...ofPurpose(purpose) }, { session: tx });
    },
    /** Newest first. */
    async listOf(emailLower: string, purpose: CodePurpose) {
      return await model
        .find({ email_lower: emailLower, ...ofPurpose(purpose) })
        .sort({ created_at: -1 })
        .limit(1_000)
        .lean<LoginChallenge[]>();
    },
    async live({ purpose, ...filter }: ChallengeFilter, now: Date) {
      return await model
        .find({ ...filter, ...ofPurpose(purpose), used_at: null, expires_at: { $gt: now } })
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

/** Null is found where the field is missing, too. */
function ofPurpose(purpose: CodePurpose) {
  return { purpose: purpose === 'staff' ? 'staff' : null } as { purpose: 'staff' };
}
