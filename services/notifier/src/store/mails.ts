import type { Language } from '@casewatch/contracts';
import {
  type Connection,
  collection,
  databaseTimeIn,
  hasPassed,
  isDuplicateKey,
  type Session,
} from '@casewatch/platform/database';
import type { QueryFilter } from 'mongoose';
import type { QueuedMail } from '../domain/queued-mail.ts';
import {
  countByStatus,
  countDue,
  type DueMessages,
  readUnsent,
  type StatusCount,
  type Unsent,
} from './message-counts.ts';

export type MailRow = {
  _id: string;
  kind: QueuedMail['kind'];
  user_id: number | null;
  /** A member of a partner's staff; missing if the mail is to none. */
  staff_id?: number;
  /** Of a mail to a firm's staff. */
  partner_id?: number;
  /** Of a mail; null in our answer to a stop word, which takes the language of the person. */
  language: Language | null;
  /** Address and content, encrypted; null once sent, failed or expired. */
  sealed: string | null;
  status: 'pending' | 'sending' | 'sent' | 'failed' | 'expired';
  attempts: number;
  last_error: string | null;
  /** The mail server's own words on `last_error`. They never leave this row, which is erased with the user. */
  provider_text?: string | null;
  /** Next attempt, or end of the claim while sending; on the database's clock. */
  due_at: Date | null;
  fence: number;
  /** When the latest attempt was about to end; null if the mail server has surely not accepted it. Of mails to a firm's staff. */
  submitted_at?: Date | null;
  expires_at: Date;
  created_at: Date;
  sent_at: Date | null;
  /** Of the request for the mail. */
  request_id: string;
  traceparent: string;
};

/** `dueInMs`: time until the next attempt; null if settled. */
type MailChange = { dueInMs: number | null } & Partial<
  Pick<
    MailRow,
    'status' | 'attempts' | 'last_error' | 'provider_text' | 'sent_at' | 'sealed' | 'submitted_at'
  >
>;

/** After expiry, so that a repeated request finds its row. */
const keepSeconds = 7 * 24 * 60 * 60;

/** `last_error` of a mail to a member that waits for the end of quiet hours. */
export const inQuietHours = 'quiet_hours';
/** Waiting mails of one reader that are read: each may hold many alerts. */
const maxWaiting = 20;

const mails = mailCollection('mails');
const memberMails = mailCollection('member_mails');

function mailCollection(name: string) {
  return collection<MailRow>(name, String, [
    { name: 'due', keys: { status: 1, due_at: 1 } },
    {
      name: 'unsent',
      keys: { created_at: 1 },
      partialFilterExpression: { status: { $in: ['pending', 'sending'] } },
    },
    { name: 'user', keys: { user_id: 1 } },
    { name: 'staff', keys: { staff_id: 1 }, sparse: true },
    { name: 'partner', keys: { partner_id: 1 }, sparse: true },
    { name: 'expiry', keys: { expires_at: 1 }, expireAfterSeconds: keepSeconds },
  ]);
}

/** Mails that other services ask for, and answers to stop words: somebody waits for them. */
export function createMailStore(db: Connection) {
  return createStoreOf(mails(db));
}

/** Mails to firms' staff, in a lane of their own: 50,000 of them delay no code. */
export function createMemberMailStore(db: Connection) {
  return createStoreOf(memberMails(db));
}

export type MailStore = ReturnType<typeof createMailStore>;

type MailTo = Pick<MailRow, 'kind'> & { partner_id: number; staff_id: number | null };

function createStoreOf(model: ReturnType<typeof mails>) {
  async function newestOf(session: Session, { kind, partner_id, staff_id }: MailTo, waits: object) {
    const reader = { partner_id, staff_id: staff_id ?? { $exists: false } };
    const rows = await model
      .find({ ...reader, kind, status: 'pending', submitted_at: null, ...waits }, { _id: 1 })
      .sort({ created_at: -1 })
      .limit(maxWaiting)
      .session(session)
      .lean<{ _id: string }[]>();
    return rows.map(({ _id }) => _id);
  }

  return {
    /** False if the id is stored already. */
    async insert({ _id, ...row }: Omit<MailRow, 'due_at'>, session: Session | null = null): Promise<boolean> {
      try {
        // An existing row stays: its fields come last. $literal: a text may begin with `$`.
        const whole = { $mergeObjects: [{ $literal: row }, { due_at: '$$NOW' }, '$$ROOT'] };
        const options = { upsert: true, updatePipeline: true, ...(session && { session }) };
        const { upsertedCount } = await model.updateOne({ _id }, [{ $replaceWith: whole }], options);
        return upsertedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Claims the mail that is due longest and counts the attempt. A claim that has ended is due again. */
    async claim(leaseMs: number): Promise<MailRow | null> {
      const due: QueryFilter<MailRow> = { status: { $in: ['pending', 'sending'] }, ...hasPassed('due_at') };
      const claim = {
        status: 'sending',
        due_at: databaseTimeIn(leaseMs),
        fence: { $add: ['$fence', 1] },
        attempts: { $add: ['$attempts', 1] },
      };
      const options = { sort: { due_at: 1 }, returnDocument: 'after', updatePipeline: true } as const;
      return await model.findOneAndUpdate(due, [{ $set: claim }], options).lean<MailRow>();
    },

    /** False if the claim was lost. */
    async change(
      row: MailRow,
      { dueInMs, ...fields }: MailChange,
      session: Session | null = null,
    ): Promise<boolean> {
      const claimed = { _id: row._id, status: 'sending', fence: row.fence } as const;
      const due_at = dueInMs === null ? null : databaseTimeIn(dueInMs);
      const change = [{ $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: fields }, { due_at }] } }];
      const options = { updatePipeline: true, ...(session && { session }) };
      const { matchedCount } = await model.updateOne(claimed, change, options);
      return matchedCount === 1;
    },

    /** Notes that the attempt is about to end: from then on the server may accept it. False if the claim was lost. */
    async noteSubmitted({ _id, fence }: MailRow): Promise<boolean> {
      const claimed = { _id, status: 'sending', fence, ...notPassed('due_at') } as const;
      const note = [{ $set: { submitted_at: '$$NOW' } }];
      return (await model.updateOne(claimed, note, { updatePipeline: true })).matchedCount === 1;
    },

    /** The newest mails of a kind to a reader that wait, but not for quiet hours, and that no server can have accepted; at most 20. */
    async waitingOf(session: Session, mail: MailTo): Promise<string[]> {
      return await newestOf(session, mail, {
        $or: [{ last_error: { $ne: inQuietHours } }, hasPassed('due_at')],
      });
    },

    /** The same that wait for the end of quiet hours. */
    async heldOf(session: Session, mail: MailTo): Promise<string[]> {
      return await newestOf(session, mail, { last_error: inQuietHours });
    },

    /** Conflicts with a claim of the mails, which would still tell what was taken out of them. */
    async touch(session: Session, ids: readonly string[]): Promise<void> {
      await model.updateMany({ _id: { $in: [...ids] } }, { $inc: { fence: 1 } }, { session });
    },

    async deleteAll(session: Session, ids: readonly string[]): Promise<void> {
      await model.deleteMany({ _id: { $in: [...ids] } }, { session });
    },

    async unsent(): Promise<Unsent> {
      return await readUnsent(model, { status: { $in: ['pending', 'sending'] } }, 'created_at');
    },

    async countDue(): Promise<DueMessages> {
      return await countDue(model, { status: 'pending' }, 'due_at');
    },

    async countSince(since: Date): Promise<StatusCount[]> {
      // A mail expires after it was created: the index of the expiry finds it.
      return await countByStatus(model, { expires_at: { $gte: since }, created_at: { $gte: since } });
    },

    async deleteOfUser(userId: number): Promise<number> {
      const { deletedCount } = await model.deleteMany({ user_id: userId });
      return deletedCount;
    },

    async deleteOfStaff(staffId: number): Promise<number> {
      const { deletedCount } = await model.deleteMany({ staff_id: staffId });
      return deletedCount;
    },

    async deleteOfPartner(partnerId: number): Promise<void> {
      await model.deleteMany({ partner_id: partnerId });
    },
  };
}

function notPassed(field: string) {
  return { $expr: { $gt: [`$${field}`, '$$NOW'] } };
}
