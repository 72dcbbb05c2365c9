import { randomUUID } from 'node:crypto';
import type { MonitoringState } from '@casewatch/contracts';
import {
  type Connection,
  collection,
  databaseTimeIn,
  hasPassed,
  type Session,
} from '@casewatch/platform/database';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import { readUnsent, type Unsent } from './message-counts.ts';

/**
 * Something that a firm hears of (firm.md §5): a change of a case, a state of its monitoring, or that the day for an answer comes near.
 * The row says what and when; whom it reaches is decided when it is due.
 */
export type FirmNews = {
  /** `<status_update_id>`, `monitoring:<case_id>:<state>:<since>`, or `case:<case_id>:due:<date>:<days>`: made again, it is the same row. */
  readonly _id: string;
  readonly kind: 'change' | 'monitoring' | 'reminder';
  readonly partner_id: number;
  /** Of the case, so that it goes with the person. */
  readonly user_id: number;
  readonly case_id: number;
  readonly user_case_id: string;
  readonly urgent: boolean;
  /** Of a change: the category of its status. */
  readonly category?: string | null;
  /** Of a change: what mails about it say. */
  readonly facts: NotificationFacts | null;
  readonly monitoring: MonitoringState | null;
  /** Of a reminder: the day for the answer, `YYYY-MM-DD`, and how many days are left. */
  readonly due: { readonly date: string; readonly days: number } | null;
  readonly observed_at: Date;
  /** When members are chosen; on the database's clock. Null: they were. */
  readonly due_at: Date | null;
  readonly request_id: string;
  readonly traceparent: string;
  readonly created_at: Date;
  /** Who chooses the members, since when and how long nobody else does. */
  readonly claim?: string | null;
  readonly claimed_at?: Date;
  readonly claimed_until?: Date | null;
  /** When members were chosen the last time. A reminder may be older than rows are kept. */
  readonly planned_at?: Date;
  /** Members whose mail about this failed. */
  readonly failed_staff?: readonly number[];
  /** Since when it is known that no member can be told. */
  readonly unreached_at?: Date;
  /** The firm has no members at all, and works by its keys alone: nobody has to look at addresses. */
  readonly has_no_members?: boolean;
};

export type ClaimedNews = FirmNews & { readonly claimed_at: Date };

const keepSeconds = 90 * 24 * 60 * 60;
/** Rows that are read for a claim: of them, those of one firm are claimed. */
const maxClaimed = 100;
const maxUnreached = 1_000;
const unreachedMs = 7 * 24 * 60 * 60 * 1_000;

/** MongoDB takes a partial index for a query that has its very condition. */
const anyTime = { $gt: new Date(0) };

const news = collection<FirmNews>('firm_news', String, [
  { name: 'due', keys: { due_at: 1 }, partialFilterExpression: { due_at: anyTime } },
  { name: 'case', keys: { case_id: 1, kind: 1 } },
  { name: 'user', keys: { user_id: 1 } },
  { name: 'partner', keys: { partner_id: 1 } },
  {
    name: 'unreached',
    keys: { partner_id: 1, unreached_at: -1 },
    partialFilterExpression: { unreached_at: anyTime },
  },
  {
    name: 'unreached_lately',
    keys: { unreached_at: 1 },
    partialFilterExpression: { unreached_at: anyTime },
  },
  { name: 'expiry', keys: { planned_at: 1 }, expireAfterSeconds: keepSeconds },
]);

export function createFirmNewsStore(db: Connection) {
  const model = news(db);
  return {
    /** Rows that are stored already stay as they are. */
    async insertAll(rows: readonly FirmNews[]): Promise<void> {
      if (rows.length === 0) return;
      const inserts = rows.map(({ _id, ...row }) => ({
        updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true },
      }));
      await model.bulkWrite(inserts);
    },

    /** The same for rows that are due now. */
    async insertDue(
      rows: readonly Omit<FirmNews, 'due_at'>[],
      session: Session | null = null,
    ): Promise<void> {
      for (const { _id, ...row } of rows) {
        // An existing row stays: its fields come last. $literal: a text may begin with `$`.
        const whole = { $mergeObjects: [{ $literal: row }, { due_at: '$$NOW' }, '$$ROOT'] };
        const options = { upsert: true, updatePipeline: true, ...(session && { session }) };
        await model.updateOne({ _id }, [{ $replaceWith: whole }], options);
      }
    },

    /**
     * Claims what is due longest, and what else is due of the same firm. A claim that has ended is due again. What follows something of
     * the same case that was put back, or is being decided, waits for it: members hear the changes of a case in their order.
     */
    async claim(leaseMs: number): Promise<{ token: string; rows: ClaimedNews[] }> {
      const token = randomUUID();
      const due = dueAndFree();
      const dueRows = await model
        .find(due, { partner_id: 1, case_id: 1, observed_at: 1 })
        .sort({ due_at: 1 })
        .limit(maxClaimed)
        .lean<Waiting[]>();
      const earlier = await model
        .find({ case_id: { $in: dueRows.map(({ case_id }) => case_id) }, ...dueAndClaimed() })
        .lean<Waiting[]>();
      const follows = (row: Waiting) =>
        earlier.some((one) => one.case_id === row.case_id && one.observed_at < row.observed_at);
      const found = dueRows.filter((row) => !follows(row));
      const ids = found.filter(({ partner_id }) => partner_id === found[0]?.partner_id).map(({ _id }) => _id);
      if (ids.length === 0) return { token, rows: [] };
      const claim = { claim: token, claimed_at: '$$NOW', claimed_until: databaseTimeIn(leaseMs) };
      await model.updateMany({ _id: { $in: ids }, ...due }, [{ $set: claim }], { updatePipeline: true });
      const rows = await model.find({ _id: { $in: ids }, claim: token }).lean<ClaimedNews[]>();
      return { token, rows };
    },

    /** Nothing could be decided: they are due again after `ms`. */
    async giveBack(token: string, ids: readonly string[], ms: number): Promise<void> {
      const later = { claim: null, claimed_until: databaseTimeIn(ms) };
      await model.updateMany({ _id: { $in: [...ids] }, claim: token }, [{ $set: later }], {
        updatePipeline: true,
      });
    },

    /** They are to be told only after `ms`. */
    async putOff(token: string, ids: readonly string[], ms: number): Promise<void> {
      const later = { claim: null, claimed_until: null, due_at: databaseTimeIn(ms) };
      await model.updateMany({ _id: { $in: [...ids] }, claim: token }, [{ $set: later }], {
        updatePipeline: true,
      });
    },

    /** Those of the ids that the claim still has. */
    async stillClaimed(session: Session, token: string, ids: readonly string[]): Promise<ClaimedNews[]> {
      return await model
        .find({ _id: { $in: [...ids] }, claim: token })
        .session(session)
        .lean<ClaimedNews[]>();
    },

    /** Members were chosen. */
    async finish(
      session: Session,
      token: string,
      {
        ids,
        unreached,
        hasMembers,
      }: { ids: readonly string[]; unreached: readonly string[]; hasMembers: boolean },
    ): Promise<void> {
      const done = { due_at: null, planned_at: '$$NOW', claim: null, claimed_until: null };
      const options = { session, updatePipeline: true } as const;
      const first = { unreached_at: { $ifNull: ['$unreached_at', '$$NOW'] }, has_no_members: !hasMembers };
      await model.updateMany({ _id: { $in: [...unreached] } }, [{ $set: first }], options);
      await model.updateMany({ _id: { $in: [...ids] }, claim: token }, [{ $set: done }], options);
    },

    /** The mail to the member failed: the next in line is chosen. A choice in progress is made again. */
    async reopen(session: Session, ids: readonly string[], staffId: number): Promise<void> {
      const failed = { $setUnion: [{ $ifNull: ['$failed_staff', []] }, [staffId]] };
      const again = { due_at: '$$NOW', claim: null, claimed_until: null, failed_staff: failed };
      const options = { session, updatePipeline: true } as const;
      await model.updateMany({ _id: { $in: [...ids] } }, [{ $set: again }], options);
    },

    async findAll(ids: readonly string[]): Promise<Map<string, FirmNews>> {
      const rows = await model.find({ _id: { $in: [...ids] } }).lean<FirmNews[]>();
      return new Map(rows.map((row) => [row._id, row]));
    },

    /** What reached no member of the firm in the last 7 days, newest first; at most 1,000. */
    async unreachedOf(partnerId: number): Promise<{ user_case_id: string; unreached_at: Date }[]> {
      return await model
        .find(
          { partner_id: partnerId, unreached_at: anyTime, $expr: isRecent(unreachedMs) },
          { user_case_id: 1, unreached_at: 1 },
        )
        .sort({ unreached_at: -1 })
        .limit(maxUnreached)
        .lean<{ user_case_id: string; unreached_at: Date }[]>();
    },

    /** What reached no member of any firm that has some, in the last `ms`; at most 1,000. */
    async countUnreached(ms: number): Promise<number> {
      const filter = { unreached_at: anyTime, has_no_members: false, $expr: isRecent(ms) };
      return await model.countDocuments(filter, { limit: maxUnreached });
    },

    async unsent(): Promise<Unsent> {
      return await readUnsent(model, {}, 'due_at');
    },

    async deleteOfUser(userId: number): Promise<void> {
      await model.deleteMany({ user_id: userId });
    },

    async deleteOfPartner(partnerId: number): Promise<void> {
      await model.deleteMany({ partner_id: partnerId });
    },
  };
}

function isRecent(ms: number): object {
  return { $gte: ['$unreached_at', { $subtract: ['$$NOW', ms] }] };
}

type Waiting = Pick<FirmNews, '_id' | 'partner_id' | 'case_id' | 'observed_at'>;

function dueAndFree() {
  const { due_at, $expr } = hasPassed('due_at');
  return { due_at, $expr: { $and: [$expr, isFree] } };
}

function dueAndClaimed() {
  const { due_at, $expr } = hasPassed('due_at');
  return { due_at, $expr: { $and: [$expr, { $not: isFree }] } };
}

const isFree = { $lte: [{ $ifNull: ['$claimed_until', new Date(0)] }, '$$NOW'] };
