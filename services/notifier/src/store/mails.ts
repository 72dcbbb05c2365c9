import type { Language, SendRequest } from '@casewatch/contracts';
import { type Connection, databaseTimeIn, hasPassed, isDuplicateKey } from '@casewatch/platform';
import mongoose from 'mongoose';

/** A mail that belongs to no StatusUpdate; `_id` is the asker's `message_id`. */
export type MailRow = {
  _id: string;
  kind: SendRequest['kind'];
  user_id: number | null;
  language: Language;
  /** Address and content, encrypted; null once sent, failed or expired. */
  sealed: string | null;
  status: 'pending' | 'sending' | 'sent' | 'failed' | 'expired';
  attempts: number;
  last_error: string | null;
  /** When it is to be looked at next, on the database's clock: to be tried, or, while sending, when its claim ends. */
  due_at: Date | null;
  /** +1 with every claim. */
  fence: number;
  expires_at: Date;
  created_at: Date;
  sent_at: Date | null;
};

/** `dueInMs`: when it is to be looked at next, from now; null: never. */
type MailChange = { dueInMs: number | null } & Partial<
  Pick<MailRow, 'status' | 'attempts' | 'last_error' | 'sent_at' | 'sealed'>
>;

const schema = new mongoose.Schema<MailRow>(
  {
    _id: String,
    kind: String,
    user_id: Number,
    language: String,
    sealed: String,
    status: String,
    attempts: Number,
    last_error: String,
    due_at: Date,
    fence: Number,
    expires_at: Date,
    created_at: Date,
    sent_at: Date,
  },
  { versionKey: false, id: false, collection: 'mails' },
);
/** Kept beyond its end so that the same id asked for again is still known. */
const keepSeconds = 7 * 24 * 60 * 60;
schema.index({ status: 1, due_at: 1 }, { name: 'due' });
schema.index({ user_id: 1 }, { name: 'user' });
schema.index({ expires_at: 1 }, { name: 'expiry', expireAfterSeconds: keepSeconds });

/** The collection `mails`: its named queries. */
export function createMailStore(db: Connection) {
  const model = db.model<MailRow>('mails', schema);
  return {
    /** Due at once. False: a mail with this id was accepted before. */
    async insert({ _id, ...row }: Omit<MailRow, 'due_at'>): Promise<boolean> {
      try {
        // What is there already stays: its fields come last. Literals: a text that begins with `$` is no field's name.
        const whole = { $mergeObjects: [{ $literal: row }, { due_at: '$$NOW' }, '$$ROOT'] };
        const options = { upsert: true, updatePipeline: true };
        const { upsertedCount } = await model.updateOne({ _id }, [{ $replaceWith: whole }], options);
        return upsertedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Claims the longest due mail and counts the attempt; also one whose sender stopped in the middle. */
    async claim(leaseMs: number): Promise<MailRow | null> {
      return await model
        .findOneAndUpdate(
          { status: { $in: ['pending', 'sending'] }, ...hasPassed('due_at') },
          [
            {
              $set: {
                status: 'sending',
                due_at: databaseTimeIn(leaseMs),
                fence: { $add: ['$fence', 1] },
                attempts: { $add: ['$attempts', 1] },
              },
            },
          ],
          { sort: { due_at: 1 }, returnDocument: 'after', updatePipeline: true },
        )
        .lean<MailRow>();
    },

    /** False: the claim was lost. */
    async change(row: MailRow, { dueInMs, ...fields }: MailChange): Promise<boolean> {
      const due_at = dueInMs === null ? null : databaseTimeIn(dueInMs);
      const { matchedCount } = await model.updateOne(
        { _id: row._id, status: 'sending', fence: row.fence },
        [{ $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: fields }, { due_at }] } }],
        { updatePipeline: true },
      );
      return matchedCount === 1;
    },

    async deleteOfUser(userId: number): Promise<number> {
      const { deletedCount } = await model.deleteMany({ user_id: userId });
      return deletedCount;
    },
  };
}
