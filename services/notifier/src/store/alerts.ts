import {
  type Connection,
  collection,
  databaseTimeIn,
  hasPassed,
  insertRows,
  type Session,
} from '@casewatch/platform/database';
import type { FirmNews } from './firm-news.ts';
import { readUnsent, type Unsent } from './message-counts.ts';

/** Why a member was not told, or not by the mail that was meant to. */
export type AlertReason =
  | 'expired'
  | 'not_delivered'
  | 'firm_gone'
  | 'member_not_active'
  | 'member_away'
  | 'address_suppressed'
  | 'not_wanted'
  | 'case_gone'
  | 'date_passed';

/** That one member is told of one piece of news, in the next mail. Ids only. */
export type AlertRow = {
  /** `<status_update_id>:staff:<staff_id>`, `case:<case_id>:due:<date>:<days>:<staff_id>`, or, to the firm's own address, `<news>:office`. */
  readonly _id: string;
  readonly news_id: string;
  readonly kind: FirmNews['kind'];
  readonly partner_id: number;
  /** Of the case. */
  readonly user_id: number;
  readonly case_id: number;
  /** Null: the firm's own address. */
  readonly staff_id: number | null;
  readonly urgent: boolean;
  /** To an owner in place of a member who is away: which cases and categories the owner wants does not matter, alerts that are off do. */
  readonly instead?: true;
  readonly status: 'pending' | 'sent' | 'failed' | 'skipped';
  readonly reason: AlertReason | null;
  /** The mail that tells it; it is in no other. */
  readonly mail_id: string | null;
  /** When a mail may take it; null: one has, or it is settled. On the database's clock, as `unsent_since`. */
  readonly due_at: Date | null;
  /** Since when it should have been sent: its creation, or the end of quiet hours. */
  readonly unsent_since: Date;
  readonly sent_at: Date | null;
  /** +1 with every `alert.updated`. */
  readonly revision: number;
  readonly observed_at: Date;
  readonly request_id: string;
  readonly traceparent: string;
  readonly created_at: Date;
};

/** Whose mail it is: a member's, or that to the firm's own address. */
export type Reader = { readonly partner_id: number; readonly staff_id: number | null };

const keepSeconds = 90 * 24 * 60 * 60;
/** Due rows that are read to find their readers. */
const maxRead = 500;
/** Alerts of one mail. Those beyond it wait for the next. */
export const maxOfMail = 1_000;

/** MongoDB takes a partial index for a query that has its very condition, or a narrower one. */
const anyTime = { $gt: new Date(0) };

const alerts = collection<AlertRow>('alerts', String, [
  { name: 'due', keys: { due_at: 1 }, partialFilterExpression: { due_at: anyTime } },
  {
    name: 'reader',
    keys: { partner_id: 1, staff_id: 1, due_at: 1 },
    partialFilterExpression: { due_at: anyTime },
  },
  { name: 'unsent', keys: { unsent_since: 1 }, partialFilterExpression: { status: 'pending' } },
  { name: 'mail', keys: { mail_id: 1 }, partialFilterExpression: { mail_id: { $gt: '' } } },
  { name: 'news', keys: { news_id: 1 } },
  { name: 'of_staff', keys: { staff_id: 1, _id: 1 } },
  { name: 'user', keys: { user_id: 1 } },
  { name: 'partner', keys: { partner_id: 1 } },
  { name: 'expiry', keys: { created_at: 1 }, expireAfterSeconds: keepSeconds },
]);

export function createAlertStore(db: Connection) {
  const model = alerts(db);
  return {
    async ofNews(session: Session, newsIds: readonly string[]): Promise<AlertRow[]> {
      return await model
        .find({ news_id: { $in: [...newsIds] } })
        .session(session)
        .lean<AlertRow[]>();
    },

    /** By id, after `after`. */
    async ofStaff(reader: Reader, { after, limit }: { after: string; limit: number }): Promise<AlertRow[]> {
      const filter = { ...reader, _id: { $gt: after } };
      return await model.find(filter).sort({ _id: 1 }).limit(limit).lean<AlertRow[]>();
    },

    async insertAll(session: Session, rows: readonly AlertRow[]): Promise<void> {
      if (rows.length > 0) await insertRows(model, rows, session);
    },

    /** Readers who have alerts that a mail may take, those that are due longest first. */
    async dueReaders(): Promise<Reader[]> {
      const rows = await model
        .find(hasPassed('due_at'), { partner_id: 1, staff_id: 1 })
        .sort({ due_at: 1 })
        .limit(maxRead)
        .lean<Reader[]>();
      const readers = new Map(
        rows.map(({ partner_id, staff_id }) => [`${partner_id}:${staff_id}`, { partner_id, staff_id }]),
      );
      return [...readers.values()];
    },

    /** Fixes the alerts of a mail: what is due of the reader, urgent first. Returns their number. */
    async take(session: Session, reader: Reader, mailId: string): Promise<number> {
      const due = await model
        .find({ ...readerOf(reader), ...hasPassed('due_at') }, { _id: 1 })
        .sort({ urgent: -1, due_at: 1 })
        .limit(maxOfMail)
        .session(session)
        .lean<Pick<AlertRow, '_id'>[]>();
      const ids = due.map(({ _id }) => _id);
      const taken = { $set: { mail_id: mailId, due_at: null } };
      await model.updateMany({ _id: { $in: ids } }, taken, { session });
      return ids.length;
    },

    /**
     * What waits for the end of quiet hours, in no mail or in one of `heldMails`, and is older than something of the same case that the
     * mail tells in them: it is told along with it, so that members hear the changes of a case in their order. Returns the mails out of
     * which it was taken.
     */
    async takeEarlier(
      session: Session,
      reader: Reader,
      { mailId, heldMails }: { mailId: string; heldMails: readonly string[] },
    ): Promise<string[]> {
      const told = await model.find({ mail_id: mailId }).session(session).lean<AlertRow[]>();
      const breaking = told.filter(breaksQuiet);
      if (breaking.length === 0) return [];
      const held = await model
        .find({
          ...{ ...readerOf(reader), status: 'pending' },
          case_id: { $in: [...new Set(breaking.map(({ case_id }) => case_id))] },
          $or: [{ due_at: anyTime }, { mail_id: { $in: [...heldMails] } }],
        })
        .limit(maxOfMail)
        .session(session)
        .lean<AlertRow[]>();
      const earlier = held.filter((alert) => goesAlong(alert, breaking));
      const ids = earlier.map(({ _id }) => _id);
      const taken = { $set: { mail_id: mailId, due_at: null } };
      await model.updateMany({ _id: { $in: ids } }, taken, { session });
      return [...new Set(earlier.flatMap(({ mail_id }) => mail_id ?? []))];
    },

    /** Takes them out of their mail: another one tells them, after `ms`. */
    async putBack(session: Session, rows: readonly AlertRow[], ms: number): Promise<void> {
      const ids = rows.map(({ _id }) => _id);
      const later = { mail_id: null, due_at: databaseTimeIn(ms), unsent_since: databaseTimeIn(ms) };
      await model.updateMany({ _id: { $in: ids } }, [{ $set: later }], { session, updatePipeline: true });
    },

    /** The mail takes the place of others, which were never submitted. */
    async moveTo(session: Session, mailId: string, from: readonly string[]): Promise<void> {
      const waiting = { mail_id: { $in: [...from] }, status: 'pending' as const };
      await model.updateMany(waiting, { $set: { mail_id: mailId } }, { session });
    },

    /** Of these mails, those without an alert that is older than `ms`, with the number of their alerts. */
    async mailsYoungerThan(
      session: Session,
      mailIds: readonly string[],
      ms: number,
    ): Promise<{ mailId: string; count: number }[]> {
      const stages = [
        { $match: { mail_id: { $in: [...mailIds] }, status: 'pending' } },
        { $group: { _id: '$mail_id', count: { $sum: 1 }, oldest: { $min: '$unsent_since' } } },
        { $match: { $expr: { $gt: ['$oldest', databaseTimeIn(-ms)] } } },
        { $project: { _id: 0, mailId: '$_id', count: 1 } },
      ];
      return await model.aggregate<{ mailId: string; count: number }>(stages).session(session);
    },

    /** What is due of the reader waits until then. In parts: there may be more than one write has time for. */
    async postpone(reader: Reader, until: Date): Promise<void> {
      const due = { ...readerOf(reader), due_at: { $gt: new Date(0), $lt: until } };
      for (;;) {
        const rows = await model.find(due, { _id: 1 }).limit(maxOfMail).lean<Pick<AlertRow, '_id'>[]>();
        const ids = rows.map(({ _id }) => _id);
        await model.updateMany({ _id: { $in: ids }, ...due }, { $set: { due_at: until } });
        if (rows.length < maxOfMail) return;
      }
    },

    /** The alerts of a mail, urgent first, then the newest. */
    async ofMail(mailId: string, session: Session | null = null): Promise<AlertRow[]> {
      return await model
        .find({ mail_id: mailId })
        .sort({ urgent: -1, observed_at: -1 })
        .session(session)
        .lean<AlertRow[]>();
    },

    /** Of a member: what no mail server has accepted. */
    async pendingOfStaff(session: Session, staffId: number): Promise<AlertRow[]> {
      return await model.find({ staff_id: staffId, status: 'pending' }).session(session).lean<AlertRow[]>();
    },

    /** Changes rows that are as they were read. Returns the new rows. */
    async change(
      session: Session,
      rows: readonly AlertRow[],
      change: Pick<AlertRow, 'status' | 'reason'> & Partial<Pick<AlertRow, 'sent_at'>>,
    ): Promise<AlertRow[]> {
      if (rows.length === 0) return [];
      const ids = rows.map(({ _id }) => _id);
      const update = { $set: { ...change, due_at: null }, $inc: { revision: 1 } };
      await model.updateMany({ _id: { $in: ids } }, update, { session });
      return rows.map((row) => ({ ...row, ...change, due_at: null, revision: row.revision + 1 }));
    },

    async unsent(): Promise<Unsent> {
      return await readUnsent(model, { status: 'pending' }, 'unsent_since');
    },

    async deleteOfUser(userId: number): Promise<void> {
      await model.deleteMany({ user_id: userId });
    },

    async deleteOfStaff(staffId: number, session: Session | null = null): Promise<number> {
      const options = session === null ? {} : { session };
      return (await model.deleteMany({ staff_id: staffId }, options)).deletedCount;
    },

    async deleteOfPartner(partnerId: number): Promise<void> {
      await model.deleteMany({ partner_id: partnerId });
    },
  };
}

type Told = Pick<AlertRow, 'kind' | 'urgent' | 'case_id' | 'observed_at'>;

/**
 * Whether it is told within quiet hours. A reminder is urgent in that it reaches somebody in any case, but it is known for weeks and can
 * wait for the morning.
 */
export function breaksQuiet({ kind, urgent }: Pick<Told, 'kind' | 'urgent'>): boolean {
  return urgent && kind !== 'reminder';
}

/** Whether it is an earlier change of a case of which something is told that does not wait. */
export function goesAlong({ kind, case_id, observed_at }: Told, breaking: readonly Told[]): boolean {
  const isEarlier = (told: Told) => told.case_id === case_id && told.observed_at > observed_at;
  return kind !== 'reminder' && breaking.some(isEarlier);
}

function readerOf({ partner_id, staff_id }: Reader) {
  return { partner_id, staff_id };
}
