import {
  datesAfter,
  type MonitoringState,
  maxTotal,
  queryWords,
  type ResponseDates,
  readReceiptNumber,
  searchWords,
  userCaseId,
} from '@casewatch/contracts';
import type { Position } from '@casewatch/platform';
import {
  addMissingWords,
  type Connection,
  collection,
  createRowReader,
  type Found,
  findByWords,
  findRow,
  findRows,
  insertRows,
  type Session,
  updateRows,
  wordsIndex,
} from '@casewatch/platform/database';
import type mongoose from 'mongoose';
import { nothingDue, storedDates } from '../rules/case.ts';
import { type Observed, respondByOf } from '../rules/status-update.ts';
import type { WatchFacts } from '../rules/watching.ts';
import type { OfStaff } from './acknowledgements.ts';
import { type Colleagues, ofNobody, type Reader, type Touched } from './status-updates.ts';

export type CaseRow = WatchFacts &
  ResponseDates<Date> & {
    _id: number;
    user_id: number;
    partner_id: number | null;
    receipt_number: string;
    description: string;
    /** The member of the firm's staff who works on it. One who is removed counts as nobody, also until the row is changed. */
    assignee_id: number | null;
    /** The firm's matter number. */
    reference: string | null;
    /** The user wants the case to be monitored; `watched` also requires an active user. */
    active: boolean;
    /** +1 with each `case.updated`. */
    version: number;
    created_at: Date;
    /** The later of the latest update and the last change by a caller. */
    updated_at: Date;
    update_count: number;
    /** Time of the latest update that is a change: neither a first status nor a translation. Null: the case never changed. */
    changed_at: Date | null;
    latest_update: (Observed & { id: number }) | null;
    /** `storedDates` */
    due_on: string;
    due_version: number;
    uscis_access_acknowledged_at: Date;
    uscis_access_ack_version: string;
    /** Grows only to conflict with an erasure of the case. */
    attachments: number;
    /** By which the firm finds it. This store keeps them; cases of direct users have none. */
    words?: string[];
  };

/** A case that a check is late for: rare, but in an outage every one. */
const anyTime = { $gt: new Date(0) };

const ofAssigned = { partialFilterExpression: { assignee_id: { $gt: 0 } } };
const ofTrouble = { partialFilterExpression: { 'monitoring.state': { $in: ['not_found', 'rejected'] } } };
const ofDelayed = { partialFilterExpression: { overdue_since: anyTime } };
const ofUrgent = { partialFilterExpression: { 'latest_update.urgent': true } };

/** Refuses a second active case of a receipt. */
export const oneActiveIndex = 'one_active_per_receipt';

const cases = collection<CaseRow>('cases', Number, [
  {
    name: oneActiveIndex,
    keys: { user_id: 1, receipt_number: 1 },
    unique: true,
    partialFilterExpression: { active: true },
  },
  // Each order of the partner's list has an index that ends in the id.
  { name: 'by_creation', keys: { partner_id: 1, created_at: 1, _id: 1 } },
  { name: 'by_check', keys: { partner_id: 1, last_checked: 1, _id: 1 } },
  {
    name: 'by_category_and_creation',
    keys: { partner_id: 1, 'latest_update.category': 1, created_at: 1, _id: 1 },
  },
  // The last keys are for lists that are filtered by a time and sorted otherwise: few are sorted by their keys alone (`findPage`).
  {
    name: 'by_latest_change_with_all_orders',
    keys: { partner_id: 1, changed_at: 1, _id: 1, created_at: 1, last_checked: 1, due_on: 1 },
  },
  {
    name: 'by_change_with_all_orders',
    keys: { partner_id: 1, updated_at: 1, _id: 1, created_at: 1, last_checked: 1, changed_at: 1, due_on: 1 },
  },
  {
    name: 'by_category_and_latest_change',
    keys: { partner_id: 1, 'latest_update.category': 1, changed_at: 1, _id: 1 },
  },
  {
    name: 'by_category_and_check',
    keys: { partner_id: 1, 'latest_update.category': 1, last_checked: 1, _id: 1 },
  },
  // Old cases are paused, new ones are watched: without these, a list of either reads all of the other. A list names both values
  // of what it does not filter by, so that each index has the order (`conditions`).
  { name: 'by_state_and_creation', keys: { partner_id: 1, active: 1, watched: 1, created_at: 1, _id: 1 } },
  { name: 'by_state_and_check', keys: { partner_id: 1, active: 1, watched: 1, last_checked: 1, _id: 1 } },
  {
    name: 'by_state_and_latest_change',
    keys: { partner_id: 1, active: 1, watched: 1, changed_at: 1, _id: 1 },
  },
  // By the day for an answer. Most cases have none, and stand at the end. Those that have one are urgent: of a list without these only
  // keys are read. The last keys are for a list before a day that is sorted otherwise.
  {
    name: 'by_due_day_with_all_orders',
    keys: {
      partner_id: 1,
      due_on: 1,
      _id: 1,
      'latest_update.urgent': 1,
      created_at: 1,
      last_checked: 1,
      changed_at: 1,
    },
  },
  {
    name: 'by_category_and_due_day',
    keys: { partner_id: 1, 'latest_update.category': 1, due_on: 1, _id: 1 },
  },
  { name: 'by_state_and_due_day', keys: { partner_id: 1, active: 1, watched: 1, due_on: 1, _id: 1 } },
  // Only counts cases.
  {
    name: 'by_category_and_activity',
    keys: { partner_id: 1, 'latest_update.category': 1, active: 1, updated_at: 1 },
  },
  {
    name: 'answered_by_staff',
    keys: { partner_id: 1, 'respond_done.by.id': 1, _id: 1 },
    partialFilterExpression: { 'respond_done.by.kind': 'staff' },
  },
  { name: 'by_receipt', keys: { partner_id: 1, receipt_number: 1 } },
  {
    name: 'by_reference',
    keys: { partner_id: 1, reference: 1, created_at: 1, _id: 1 },
    partialFilterExpression: { reference: { $gt: '' } },
  },
  {
    name: 'by_assignee',
    keys: { partner_id: 1, assignee_id: 1, created_at: 1, _id: 1 },
    ...ofAssigned,
  },
  {
    name: 'by_assignee_and_check',
    keys: { partner_id: 1, assignee_id: 1, last_checked: 1, _id: 1 },
    ...ofAssigned,
  },
  {
    name: 'by_assignee_and_latest_change',
    keys: { partner_id: 1, assignee_id: 1, changed_at: 1, _id: 1 },
    ...ofAssigned,
  },
  {
    name: 'by_assignee_and_due_day',
    keys: { partner_id: 1, assignee_id: 1, due_on: 1, _id: 1 },
    ...ofAssigned,
  },
  wordsIndex,
  {
    name: 'by_trouble',
    keys: { partner_id: 1, 'monitoring.state': 1, watched: 1, created_at: 1, _id: 1 },
    ...ofTrouble,
  },
  {
    name: 'by_trouble_and_check',
    keys: { partner_id: 1, 'monitoring.state': 1, watched: 1, last_checked: 1, _id: 1 },
    ...ofTrouble,
  },
  {
    name: 'by_trouble_and_latest_change',
    keys: { partner_id: 1, 'monitoring.state': 1, watched: 1, changed_at: 1, _id: 1 },
    ...ofTrouble,
  },
  {
    name: 'by_trouble_and_due_day',
    keys: { partner_id: 1, 'monitoring.state': 1, watched: 1, due_on: 1, _id: 1 },
    ...ofTrouble,
  },
  // The last key is for the count, which reads keys alone.
  {
    name: 'by_delay_and_creation',
    keys: { partner_id: 1, 'monitoring.state': 1, watched: 1, created_at: 1, _id: 1, overdue_since: 1 },
    ...ofDelayed,
  },
  {
    name: 'by_delay_and_check',
    keys: { partner_id: 1, 'monitoring.state': 1, watched: 1, last_checked: 1, _id: 1 },
    ...ofDelayed,
  },
  {
    name: 'by_delay_and_latest_change',
    keys: { partner_id: 1, 'monitoring.state': 1, watched: 1, changed_at: 1, _id: 1 },
    ...ofDelayed,
  },
  {
    name: 'by_delay_and_due_day',
    keys: { partner_id: 1, 'monitoring.state': 1, watched: 1, due_on: 1, _id: 1 },
    ...ofDelayed,
  },
  // An urgent status is rare: one index for each order of the list, with these cases alone.
  { name: 'urgent_by_creation', keys: { partner_id: 1, created_at: 1, _id: 1 }, ...ofUrgent },
  { name: 'urgent_by_check', keys: { partner_id: 1, last_checked: 1, _id: 1 }, ...ofUrgent },
  { name: 'urgent_by_latest_change', keys: { partner_id: 1, changed_at: 1, _id: 1 }, ...ofUrgent },
  { name: 'urgent_by_due_day', keys: { partner_id: 1, due_on: 1, _id: 1 }, ...ofUrgent },
  // Only counts cases.
  {
    name: 'urgent_by_activity',
    keys: { partner_id: 1, 'latest_update.urgent': 1, active: 1, updated_at: 1 },
    ...ofUrgent,
  },
  { name: 'by_user', keys: { user_id: 1, watched: 1 } },
  { name: 'by_user_and_creation', keys: { user_id: 1, created_at: 1, _id: 1 } },
]);

type Change = Partial<
  Pick<
    CaseRow,
    'active' | 'assignee_id' | 'updated_at' | 'respond_by' | 'respond_done' | 'due_on' | 'due_version'
  > &
    Omit<WatchFacts, 'last_checked' | 'watched_version'>
>;
type Texts = Partial<Pick<CaseRow, 'description' | 'reference'>>;

type ActiveCase = Pick<CaseRow, '_id' | 'respond_by'> & { latest_update: { id: number } | null };

/** A status update to count. */
export type CaseAddition = {
  id: number;
  update: Observed & { id: number };
  /** Whether a person at the firm would call it a change. */
  isChange: boolean;
};

export type MonitoringReport = {
  id: number;
  monitoring: CaseRow['monitoring'];
  /** Version of the case that the report knew. */
  caseVersion: number | undefined;
};

export type CaseOfReceipt = Pick<CaseRow, '_id' | 'description' | 'reference' | 'assignee_id'>;

export function createCaseStore(db: Connection) {
  const model = cases(db);

  async function changedFrom(
    session: Session,
    filter: object,
    change: object | object[],
  ): Promise<CaseRow | null> {
    const options = { session, returnDocument: 'before', updatePipeline: true } as const;
    return await model.findOneAndUpdate(filter, change, options).lean<CaseRow>();
  }

  async function changeRows(
    session: Session,
    ids: number[],
    change: Change & Partial<Pick<CaseRow, 'words'>> & { 'latest_update.respond_by'?: CaseRow['respond_by'] },
  ): Promise<CaseRow[]> {
    const filter = { _id: { $in: ids } };
    const version = { $add: ['$version', 1] };
    const begun = change.watched === true && { watched_version: version };
    const stage = { $set: { ...literals(change), ...begun, version } };
    await model.updateMany(filter, [stage], { session, updatePipeline: true });
    return await model.find(filter).session(session).lean<CaseRow[]>();
  }

  return {
    ...readQueries(model),
    ...listQueries(model),

    /** Of cases that were stored without. */
    async addMissingWords(): Promise<void> {
      await addMissingWords(model, wordsOf);
    },

    /** Of cases that were stored before there were dates. */
    async addMissingDates(): Promise<void> {
      const missing = { due_on: { $exists: false } };
      for (;;) {
        const rows = await findRows<CaseRow>(model, missing, {
          limit: filledTogether,
          hint: 'by_due_day_with_all_orders',
        });
        if (rows.length === 0) return;
        // A row that was changed meanwhile has its dates.
        await updateRows(
          model,
          rows.map((row) => ({
            updateOne: { filter: { _id: row._id, ...missing }, update: { $set: firstDates(row) } },
          })),
        );
      }
    },

    async insert(session: Session, row: CaseRow): Promise<void> {
      await insertRows(model, [{ ...row, words: wordsOf(row) }], session);
    },

    /** Raises the version too, with which a watch begins. Returns the changed cases. */
    async change(session: Session, ids: number[], change: Change): Promise<CaseRow[]> {
      return await changeRows(session, ids, change);
    },

    /** Changes the texts of a case too, and with them the words by which it is found; its day also in its latest update. */
    async changeTexts(session: Session, row: CaseRow, change: Change & Texts): Promise<CaseRow[]> {
      const { respond_by } = change;
      const ofUpdate = respond_by !== undefined &&
        row.latest_update !== null && { 'latest_update.respond_by': respond_by };
      const words = wordsOf({ ...row, ...change });
      return await changeRows(session, [row._id], { ...change, ...ofUpdate, words });
    },

    /**
     * Counts an update. Returns who works on the case, and the day for an answer that the update shows; null if the case is gone.
     * The session read the case before it wrote it: another change in between makes the transaction begin again.
     */
    async addUpdate(
      session: Session,
      { id, update, isChange }: CaseAddition,
    ): Promise<Pick<CaseRow, 'assignee_id' | 'respond_by'> | null> {
      const before = await findRow(model, id, session);
      if (before === null) return null;
      const { observation, timestamp } = update;
      const isNewest = observation > (before.latest_update?.observation ?? 0);
      const dates = isNewest ? datesAfter(before, { ...update, respond_by: respondByOf(update) }) : null;
      const shown = dates ? dates.respond_by : respondByOf(update);
      const set = {
        update_count: { $add: ['$update_count', 1] },
        updated_at: { $max: ['$updated_at', timestamp] },
        last_checked: { $max: ['$last_checked', timestamp] },
        ...(isChange && { changed_at: { $max: ['$changed_at', timestamp] } }),
        overdue_since: overdueAfter(timestamp),
        // The highest observation is shown, whatever the order of arrival. Texts may begin with $.
        ...(dates && { latest_update: { $literal: { ...update, respond_by: shown } } }),
        ...(dates && literals(storedDates(dates, before))),
      };
      const options = { session, updatePipeline: true };
      const { matchedCount } = await model.updateOne({ _id: id }, [{ $set: set }], options);
      return matchedCount === 0 ? null : { assignee_id: before.assignee_id, respond_by: shown };
    },

    /** Makes the transaction conflict with an erasure of the case. False if the case is gone. */
    async conflictWithErasure(session: Session, id: number): Promise<boolean> {
      const { matchedCount } = await model.updateOne({ _id: id }, { $inc: { attachments: 1 } }, { session });
      return matchedCount === 1;
    },

    /** Sets `touched_at` of the latest update, if it still is that one; never back in time. */
    async touchLatest(updates: readonly Touched[], at: Date): Promise<void> {
      const ids = updates.map(({ case_id }) => case_id);
      const latest = updates.map(({ status_update_id }) => status_update_id);
      const filter = { _id: { $in: ids }, 'latest_update.id': { $in: latest } };
      await model.updateMany(filter, { $max: { 'latest_update.touched_at': at } });
    },

    /**
     * Returns the case before the change; null if nothing changed: a report that is older than the present watch. A newer state ends
     * the time without a check: the monitor also reports that checks continue, and either event may come first.
     */
    async setMonitoring(
      session: Session,
      { id, monitoring, caseVersion }: MonitoringReport,
    ): Promise<CaseRow | null> {
      const ofThisWatch = caseVersion !== undefined && { watched_version: { $not: { $gt: caseVersion } } };
      const older = { _id: id, 'monitoring.revision': { $lt: monitoring.revision }, ...ofThisWatch };
      const { since } = monitoring;
      const set = {
        monitoring: { $literal: monitoring },
        ...(since && { overdue_since: overdueAfter(since) }),
      };
      return await changedFrom(session, older, [{ $set: set }]);
    },

    /** Returns the case before the change; null if nothing changed: an event older than `last_checked` or than the monitor's report. */
    async setOverdue(session: Session, id: number, since: Date): Promise<CaseRow | null> {
      const notAfter = (field: string) => ({ $or: [{ [field]: null }, { [field]: { $lte: since } }] });
      const filter = { _id: id, $and: [notAfter('last_checked'), notAfter('monitoring.since')] };
      return await changedFrom(session, filter, { $max: { overdue_since: since } });
    },

    /** An event older than `last_checked` changes nothing. */
    async setChecked(ids: number[], checkedAt: Date, nextCheckAt: Date | null): Promise<void> {
      const older = { $or: [{ last_checked: null }, { last_checked: { $lte: checkedAt } }] };
      const set = {
        last_checked: checkedAt,
        'monitoring.next_check_at': nextCheckAt,
        overdue_since: overdueAfter(checkedAt),
      };
      await model.updateMany({ _id: { $in: ids }, ...older }, [{ $set: set }], { updatePipeline: true });
    },

    async erase(session: Session, ids: number[]): Promise<void> {
      await model.deleteMany({ _id: { $in: ids } }, { session });
    },
  };
}

function readQueries(model: ReturnType<typeof cases>) {
  const readRow = createRowReader(model);
  const counted = (filter: { partner_id: number; active: boolean }, limit: number) =>
    model.countDocuments(filter).hint('by_state_and_creation').limit(limit);
  return {
    async find(id: number, session: Session | null = null): Promise<CaseRow | null> {
      return session === null ? await readRow(id) : await findRow(model, id, session);
    },

    /** Those that exist. Parallel calls share a command: in a burst, each event of other services asks for its case. */
    async findSome(ids: readonly number[]): Promise<CaseRow[]> {
      const rows = await Promise.all([...new Set(ids)].map(readRow));
      return rows.filter((row) => row !== null);
    },

    /**
     * Cases whose answer is due, by the day: those of a member, and those of nobody. Where there are too many, those from the day `from`
     * on come first, nearest first, and what has passed only as far as there is room, the latest first.
     */
    async dueFor(
      { partnerId, staffId, activeIds }: { partnerId: number; staffId: number } & Colleagues,
      { from, limit }: { from: string; limit: number },
    ): Promise<CaseRow[]> {
      const read = (due_on: object, direction: 1 | -1, most: number) =>
        readDue(model, { partnerId, staffId, activeIds }, { due_on, direction, most });
      const ahead = await read({ $gte: from, $lt: nothingDue }, 1, limit);
      const past = await read({ $lt: from }, -1, limit - ahead.length);
      return [...past.toReversed(), ...ahead];
    },

    /** Answers that are due for a member from a day to another, nearest first. */
    async dueBetween(
      { partnerId, staffId, scope, activeIds }: Reader,
      { from, until }: { from: string; until: string },
      limit: number,
    ): Promise<CaseRow[]> {
      const due_on = { $gte: from, $lte: until };
      if (scope === 'mine')
        return await readDue(model, { partnerId, staffId, activeIds }, { due_on, direction: 1, most: limit });
      const reading = { sort: { due_on: 1, _id: 1 }, limit, hint: 'by_due_day_with_all_orders' } as const;
      return await findRows<CaseRow>(model, { partner_id: partnerId, due_on }, reading);
    },

    /** Who of the people has an active case that the member sees. */
    async usersAmong(
      { partnerId, staffId, scope, activeIds }: Reader,
      userIds: readonly number[],
    ): Promise<number[]> {
      if (userIds.length === 0) return [];
      const ofMember = scope === 'mine' && {
        $or: [{ assignee_id: staffId }, { assignee_id: ofNobody({ activeIds }) }],
      };
      const filter = { user_id: { $in: [...userIds] }, partner_id: partnerId, active: true, ...ofMember };
      return await model.distinct('user_id', filter as object);
    },

    /** Partners with cases after a partner, by id. Each step is one look into an index. */
    async partnersAfter(after: number, limit: number): Promise<number[]> {
      const found: number[] = [];
      for (let last = after; found.length < limit; ) {
        const next = await model
          .findOne({ partner_id: { $gt: last } }, { partner_id: 1 })
          .sort({ partner_id: 1 })
          .hint('by_creation')
          .lean<Pick<CaseRow, 'partner_id'>>();
        if (next === null || next.partner_id === null) break;
        last = next.partner_id;
        found.push(last);
      }
      return found;
    },

    async existsAny(ids: readonly number[]): Promise<boolean> {
      return (await model.exists({ _id: { $in: [...ids] } })) !== null;
    },

    /** Of each, what a message about it asks for. */
    async activeAmong(ids: number[]): Promise<ActiveCase[]> {
      const filter = { _id: { $in: ids }, active: true };
      return await model.find(filter, { respond_by: 1, 'latest_update.id': 1 }).lean<ActiveCase[]>();
    },

    /** Statuses of the active ones among these that may ask for an answer, which nobody has given: all such are urgent. */
    async unanswered(ids: number[]): Promise<Pick<Observed, 'status_code' | 'category'>[]> {
      const filter = { _id: { $in: ids }, active: true, respond_done: null, 'latest_update.urgent': true };
      const fields = { 'latest_update.status_code': 1, 'latest_update.category': 1 };
      const rows = await model.find(filter, fields).lean<Pick<CaseRow, 'latest_update'>[]>();
      return rows.flatMap(({ latest_update }) => latest_update ?? []);
    },

    async isMonitored(
      userId: number,
      receiptNumber: string,
      session: Session | null = null,
    ): Promise<boolean> {
      const filter = { user_id: userId, receipt_number: receiptNumber, active: true };
      return (await model.exists(filter).session(session)) !== null;
    },

    /** The user's cases of a receipt: the active one, then the newest first. */
    async ofReceipt(
      userId: number,
      receiptNumber: string,
      session: Session | null = null,
    ): Promise<CaseOfReceipt[]> {
      const filter = { user_id: userId, receipt_number: receiptNumber };
      return await model
        .find(filter, { description: 1, reference: 1, assignee_id: 1 })
        .sort({ active: -1, _id: -1 })
        .session(session)
        .lean<CaseOfReceipt[]>();
    },

    /** When the partner's, or the user's, oldest monitored case of a receipt was created; null without one. */
    async watchedSince(
      owner: { partner_id: number } | { user_id: number },
      receiptNumber: string,
    ): Promise<Date | null> {
      const filter = { ...owner, receipt_number: receiptNumber, watched: true };
      const oldest = await model.findOne(filter, { created_at: 1 }).sort({ created_at: 1 }).lean<CaseRow>();
      return oldest?.created_at ?? null;
    },

    /** Active cases of a partner, at most `limit`. */
    async countActive(partnerId: number, limit: number, session: Session | null = null): Promise<number> {
      return await counted({ partner_id: partnerId, active: true }, limit).session(session);
    },

    /** Of each, at most `limit`: reads that many index keys, whatever the partner has. */
    async count(partnerId: number, limit: number): Promise<{ cases: number; active_cases: number }> {
      const [active, paused] = await Promise.all([
        counted({ partner_id: partnerId, active: true }, limit),
        counted({ partner_id: partnerId, active: false }, limit),
      ]);
      return { cases: Math.min(active + paused, limit), active_cases: active };
    },

    /** Ids of cases that a member works on. */
    async someOfAssignee(
      { partnerId, staffId }: { partnerId: number; staffId: number },
      limit: number,
      session: Session,
    ): Promise<number[]> {
      const filter = { partner_id: partnerId, assignee_id: staffId };
      const rows = await model.find(filter, { _id: 1 }).limit(limit).session(session).lean<CaseRow[]>();
      return rows.map(({ _id }) => _id);
    },

    /** The same by id, after an id. */
    async idsOfAssignee({ partnerId, staffId, after, limit }: OfStaff): Promise<number[]> {
      const filter = { partner_id: partnerId, assignee_id: staffId, _id: { $gt: after } };
      const rows = await model.find(filter, { _id: 1 }).sort({ _id: 1 }).limit(limit).lean<CaseRow[]>();
      return rows.map(({ _id }) => _id);
    },

    /** Cases whose answer the member noted as sent. */
    async answeredBy({ partnerId, staffId, after, limit }: OfStaff) {
      const filter = {
        partner_id: partnerId,
        'respond_done.by.kind': 'staff',
        'respond_done.by.id': staffId,
        _id: { $gt: after },
      } as const;
      return await model
        .find(filter, { respond_done: 1 })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<Pick<CaseRow, '_id' | 'respond_done'>[]>();
    },

    /** Cases of a user; with `watched` only active ones. */
    async someOfUser(
      userId: number,
      { watched, limit, session }: { watched?: boolean; limit: number; session?: Session },
    ): Promise<CaseRow[]> {
      const filter = { user_id: userId, ...(watched !== undefined && { active: true, watched }) };
      return await model
        .find(filter)
        .limit(limit)
        .session(session ?? null)
        .lean<CaseRow[]>();
    },
  };
}

/** Cases of a member and of nobody by the day for their answer, the first `most`. */
async function readDue(
  model: ReturnType<typeof cases>,
  { partnerId, staffId, activeIds }: Pick<Reader, 'partnerId' | 'staffId' | 'activeIds'>,
  { due_on, direction, most }: { due_on: object; direction: 1 | -1; most: number },
): Promise<CaseRow[]> {
  // The database takes 0 for no limit.
  if (most === 0) return [];
  const due = { partner_id: partnerId, due_on };
  const reading = { sort: { due_on: direction, _id: direction }, limit: most } as const;
  const ofOwn = { ...reading, hint: 'by_assignee_and_due_day' };
  const ofAll = { ...reading, hint: 'by_due_day_with_all_orders' };
  const [own, others] = await Promise.all([
    findRows<CaseRow>(model, { ...due, assignee_id: staffId }, ofOwn),
    findRows<CaseRow>(model, { ...due, assignee_id: ofNobody({ activeIds }) }, ofAll),
  ]);
  return [...own, ...others].toSorted((a, b) => direction * byDueDay(a, b)).slice(0, most);
}

function byDueDay(one: CaseRow, other: CaseRow): number {
  return one.due_on.localeCompare(other.due_on) || one._id - other._id;
}

const filledTogether = 500;

function firstDates({ latest_update }: CaseRow) {
  return storedDates({ respond_by: latest_update && respondByOf(latest_update), respond_done: null });
}

/** Values as they are: a text may begin with $. */
function literals(values: object): Record<string, { $literal: unknown }> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { $literal: value }]));
}

/** A check, or a newer report, ends the time without one: what has the mark is overdue (rules/watching.ts). */
function overdueAfter(at: Date) {
  return { $cond: [{ $lt: ['$overdue_since', at] }, null, '$overdue_since'] };
}

/** What a list shows; undefined: all. */
export type CaseFilter = {
  partner_id?: number | undefined;
  user_id?: number | undefined;
  active?: boolean | undefined;
  receipt_number?: string | undefined;
  category?: string[] | undefined;
  updated_since?: Date | undefined;
  changed_since?: Date | undefined;
  /** A day, `YYYY-MM-DD`. */
  respond_before?: string | undefined;
  monitoring?: MonitoringState | undefined;
  urgent?: boolean | undefined;
  reference?: string | undefined;
  assignee_id?: number | undefined;
  /** What a search found. */
  ids?: readonly number[] | undefined;
};

export type CasePage = {
  filter: CaseFilter;
  field: 'created_at' | 'last_checked' | 'changed_at' | 'due_on';
  direction: 1 | -1;
  after: Position | null;
  limit: number;
  /** What `countListed` says, for lists with a `timeIndex`. */
  counted?: number | null;
};

/** What a file of cases says of each: a whole case is several times as long, and a file has many. */
const exported = [
  'user_id',
  'receipt_number',
  'description',
  'reference',
  'assignee_id',
  'active',
  'watched',
  'watched_since',
  'monitoring',
  'overdue_since',
  'latest_update.form_type',
  'latest_update.status_code',
  'latest_update.category',
  'latest_update.modified_date',
  'respond_by',
  'respond_done',
  'update_count',
  'created_at',
  'last_checked',
] as const;

export type ExportedCase = Pick<
  CaseRow,
  '_id' | Exclude<(typeof exported)[number], `latest_update.${string}`>
> & {
  /** Missing: there is none. */
  latest_update?: Pick<Observed, 'form_type' | 'status_code' | 'category' | 'modified_date'>;
};

type Filter = mongoose.mongo.Filter<CaseRow>;

/** The index that counts the cases of these filters without reading them. Others have no total. */
const countedBy: Readonly<Record<string, string>> = {
  '': 'by_creation',
  active: 'by_state_and_creation',
  receipt_number: 'by_receipt',
  reference: 'by_reference',
  assignee_id: 'by_assignee',
  updated_since: 'by_change_with_all_orders',
  changed_since: 'by_latest_change_with_all_orders',
  respond_before: 'by_due_day_with_all_orders',
  'assignee_id,respond_before': 'by_assignee_and_due_day',
  'category,respond_before': 'by_category_and_due_day',
  category: 'by_category_and_activity',
  'active,category': 'by_category_and_activity',
  'active,category,updated_since': 'by_category_and_activity',
  'category,changed_since': 'by_category_and_latest_change',
  'monitoring=paused': 'by_state_and_creation',
  'monitoring=not_found': 'by_trouble',
  'monitoring=rejected': 'by_trouble',
  'monitoring=overdue': 'by_delay_and_creation',
  'urgent=true': 'urgent_by_activity',
  'active,urgent=true': 'urgent_by_activity',
  'active,updated_since,urgent=true': 'urgent_by_activity',
};

/** Filters by a time, each with the order that is its own; null: lists have no such order. */
const ownOrder: Readonly<Record<string, CasePage['field'] | null>> = {
  updated_since: null,
  changed_since: 'changed_at',
  respond_before: 'due_on',
};

/**
 * The index of a list that is filtered by a time alone, and sorted otherwise: how it is read best depends on how many there are.
 * Undefined: another list.
 */
export function timeIndex(
  { partner_id: _, ...filter }: CaseFilter,
  field: CasePage['field'],
): string | undefined {
  const [name = '', ...others] = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (others.length > 0 || !(name in ownOrder) || ownOrder[name] === field) return undefined;
  return countedBy[name];
}

function listQueries(model: ReturnType<typeof cases>) {
  return {
    /** One page of the cases of a partner or a user. */
    async findPage(page: CasePage): Promise<CaseRow[]> {
      return await readCasePage<CaseRow>(model, page);
    },

    /** The same for a file. */
    async exportPage(page: CasePage): Promise<ExportedCase[]> {
      const projection = Object.fromEntries(exported.map((field) => [field, 1]));
      return await readCasePage<ExportedCase>(model, page, projection);
    },

    /** Cases of the partner with words that begin as those of the text do. A receipt number may be written as people paste it. */
    async search(partnerId: number, text: string, limit: number): Promise<Found> {
      const { receipt, fault } = readReceiptNumber(text);
      const words = queryWords(fault === null ? receipt : text);
      return await findByWords(model, { partnerId, words, limit });
    },

    /** Cases of these users, whoever's they are. */
    async ofUsers(userIds: readonly number[], limit: number): Promise<Found> {
      const filter = { user_id: { $in: [...userIds] } };
      const reading = { projection: { _id: 1 }, hint: 'by_user_and_creation', limit: limit + 1 } as const;
      const rows = await findRows<CaseRow, { _id: number }>(model, filter, reading);
      return { ids: rows.slice(0, limit).map(({ _id }) => _id), more: rows.length > limit };
    },

    /** How many cases match, at most `limit`. Null: no index can count them. */
    async countListed(filter: CaseFilter, limit: number): Promise<number | null> {
      const { partner_id: _, ...others } = filter;
      const names = Object.entries(others).flatMap(([name, value]) => {
        if (value === undefined) return [];
        return [name === 'monitoring' || name === 'urgent' ? `${name}=${value}` : name];
      });
      const hint = countedBy[names.sort().join()];
      if (hint === undefined) return null;
      return await model
        .countDocuments(conditions(filter) as object)
        .hint(hint)
        .limit(limit);
    },
  };
}

async function readCasePage<Found>(
  model: ReturnType<typeof cases>,
  { filter, field, direction, after, limit, counted }: CasePage,
  projection?: Record<string, number>,
): Promise<Found[]> {
  const position = after === null ? {} : rowsAfter(field, direction, after);
  const sort = { [field]: direction, _id: direction };
  // Of a few ids all are read, whatever the order.
  const hint = filter.ids ? '_id_' : undefined;
  const reading = { sort, limit, ...(hint && { hint }) };
  const asked = { $and: [conditions(filter), position] };
  const fields = projection && { projection };
  const times = timeIndex(filter, field);
  // Of many, the list in its own order soon has a page.
  if (!times || counted == null || counted > maxTotal)
    return await findRows<CaseRow, Found>(model, asked, { ...reading, ...fields });
  const keys = await findRows<CaseRow, Pick<CaseRow, '_id'>>(model, asked, {
    ...reading,
    projection: { _id: 1 },
    hint: times,
  });
  const byId = { _id: { $in: keys.map(({ _id }) => _id) } };
  return await findRows<CaseRow, Found>(model, byId, { sort, hint: '_id_', ...fields });
}

function conditions(filter: CaseFilter): Filter {
  return {
    ...(filter.partner_id !== undefined && { partner_id: filter.partner_id }),
    ...(filter.user_id !== undefined && { user_id: filter.user_id }),
    ...(filter.active !== undefined && inActivity(filter.active, filter)),
    ...(filter.receipt_number !== undefined && { receipt_number: filter.receipt_number }),
    ...(filter.reference !== undefined && { reference: filter.reference }),
    ...(filter.assignee_id !== undefined && { assignee_id: filter.assignee_id }),
    ...(filter.ids !== undefined && { _id: { $in: [...filter.ids] } }),
    ...(filter.category !== undefined && { 'latest_update.category': { $in: filter.category } }),
    ...(filter.updated_since !== undefined && { updated_at: { $gte: filter.updated_since } }),
    ...(filter.changed_since !== undefined && { changed_at: { $gte: filter.changed_since } }),
    ...(filter.respond_before !== undefined && { due_on: { $lt: filter.respond_before } }),
    ...(filter.urgent !== undefined && { 'latest_update.urgent': filter.urgent || { $ne: true } }),
    ...(filter.monitoring !== undefined && inState(filter.monitoring, filter.active)),
  };
}

function wordsOf({
  _id,
  partner_id,
  receipt_number,
  reference,
  description,
}: Pick<CaseRow, '_id' | 'partner_id' | 'receipt_number' | 'reference' | 'description'>): string[] {
  if (partner_id === null) return [];
  return searchWords([receipt_number, userCaseId(_id), reference ?? '', description]);
}

/** With both values of `watched`, so that the indexes of both have the order of the list. Those of categories do not have it. */
function inActivity(active: boolean, { category, urgent }: CaseFilter): Filter {
  if (category !== undefined || urgent !== undefined) return { active };
  // An active case is not watched while its user is inactive.
  return { active, watched: { $in: active ? [true, false] : [false] } };
}

/** As `monitoringOf` says it of a row (rules/watching.ts). */
function inState(state: MonitoringState, active: boolean | undefined): Filter {
  if (state === 'paused') return { watched: false, active: active ?? { $in: [true, false] } };
  if (state === 'not_found' || state === 'rejected') return { watched: true, 'monitoring.state': state };
  const isWatched = { watched: true, 'monitoring.state': 'watched' } as const;
  if (state === 'overdue') return { ...isWatched, overdue_since: anyTime };
  // What is watched is active.
  return { ...isWatched, active: active ?? true, overdue_since: null };
}

/** Rows after a position. Null sorts before every date, and no comparison with a date matches null. */
function rowsAfter(field: CasePage['field'], direction: 1 | -1, [value, id]: Position): Filter {
  const operator = direction === 1 ? '$gt' : '$lt';
  const at = value === null ? null : field === 'due_on' ? String(value) : new Date(value);
  const tie = { [field]: at, _id: { [operator]: id } };
  if (at === null) return direction === 1 ? { $or: [tie, { [field]: { $ne: null } }] } : tie;
  const later = { [field]: { [operator]: at } };
  const withNulls = direction === -1 && field !== 'created_at' && field !== 'due_on';
  return { $or: withNulls ? [tie, later, { [field]: null }] : [tie, later] };
}
