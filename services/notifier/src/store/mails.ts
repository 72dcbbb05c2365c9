import type { Language, SendRequest } from '@casewatch/contracts';
import { type Connection, isDuplicateKey } from '@casewatch/platform';
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
  /** When it is to be looked at next: to be tried, or, while sending, when its sender's claim ends. */
  due_at: Date | null;
  /** +1 with every claim. */
  fence: number;
  expires_at: Date;
  created_at: Date;
  sent_at: Date | null;
};

type MailChange = Partial<
  Pick<MailRow, 'status' | 'attempts' | 'last_error' | 'due_at' | 'sent_at' | 'sealed'>
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

/** The collection `mails`, with its indexes; safe to call from many replicas. */
export async function createMailStore(db: Connection) {
  const model = db.model<MailRow>('mails', schema);
  await model.createCollection();
  await model.createIndexes();

  return {
    /** False: a mail with this id was accepted before. */
    async insert(row: MailRow): Promise<boolean> {
      try {
        await model.insertMany([row]);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Claims the longest due mail and counts the attempt; also one whose sender stopped in the middle. */
    async claim(now: Date, leaseMs: number): Promise<MailRow | null> {
      return await model
        .findOneAndUpdate(
          { status: { $in: ['pending', 'sending'] }, due_at: { $lte: now } },
          {
            $set: { status: 'sending', due_at: new Date(now.getTime() + leaseMs) },
            $inc: { fence: 1, attempts: 1 },
          },
          { sort: { due_at: 1 }, returnDocument: 'after' },
        )
        .lean<MailRow>();
    },

    /** False: the claim was lost. */
    async change(row: MailRow, change: MailChange): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { _id: row._id, status: 'sending', fence: row.fence },
        { $set: change },
      );
      return matchedCount === 1;
    },

    async deleteOfUser(userId: number): Promise<number> {
      const { deletedCount } = await model.deleteMany({ user_id: userId });
      return deletedCount;
    },
  };
}

export type MailStore = Awaited<ReturnType<typeof createMailStore>>;
