import {
  type Connection,
  collection,
  createRowReader,
  findRow,
  findRows,
  insertRows,
  type Session,
  updateRows,
} from '@casewatch/platform/database';
import type { WatchFacts } from '../domain/monitoring.ts';
import type { Observed } from '../domain/observed.ts';
import { anyTime, type CasePage, countCases, findCasePage } from './case-pages.ts';
import type { CaseRow } from './case-row.ts';
import type { Touched } from './status-updates.ts';

export type { CaseRow } from './case-row.ts';

/** Refuses a second active case of a receipt (architecture.md §4). */
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
  { name: 'by_latest_change', keys: { partner_id: 1, changed_at: 1, _id: 1 } },
  {
    name: 'by_category_and_latest_change',
    keys: { partner_id: 1, 'latest_update.category': 1, changed_at: 1, _id: 1 },
  },
  // Old cases are paused, new ones are watched: without these, a list of either reads all of the other.
  { name: 'by_watching', keys: { partner_id: 1, watched: 1, created_at: 1, _id: 1 } },
  { name: 'by_watching_and_check', keys: { partner_id: 1, watched: 1, last_checked: 1, _id: 1 } },
  { name: 'by_watching_and_latest_change', keys: { partner_id: 1, watched: 1, changed_at: 1, _id: 1 } },
  // Only counts cases.
  {
    name: 'by_category_and_activity',
    keys: { partner_id: 1, 'latest_update.category': 1, active: 1, updated_at: 1 },
  },
  { name: 'by_change', keys: { partner_id: 1, updated_at: 1 } },
  { name: 'by_receipt', keys: { partner_id: 1, receipt_number: 1 } },
  { name: 'by_activity', keys: { partner_id: 1, active: 1 } },
  {
    name: 'by_trouble',
    keys: { partner_id: 1, 'monitoring.state': 1, watched: 1, created_at: 1, _id: 1 },
    partialFilterExpression: { 'monitoring.state': { $in: ['not_found', 'rejected'] } },
  },
  {
    name: 'by_delay',
    keys: { partner_id: 1, overdue_since: 1 },
    partialFilterExpression: { overdue_since: anyTime },
  },
  { name: 'by_user', keys: { user_id: 1, watched: 1 } },
  { name: 'by_user_and_creation', keys: { user_id: 1, created_at: 1, _id: 1 } },
]);

type Change = Partial<
  Pick<CaseRow, 'active' | 'description' | 'updated_at'> &
    Omit<WatchFacts, 'last_checked' | 'watched_version'>
>;

/** Updates of one case to count. */
export type CaseAddition = {
  id: number;
  count: number;
  /** Time of the latest of them. */
  at: Date;
  /** Time of the latest one that is a change. */
  changedAt: Date | null;
  /** The one with the highest observation. */
  newest: Observed & { id: number };
};

export function createCaseStore(db: Connection) {
  const model = cases(db);
  return {
    ...readQueries(model),

    async insert(session: Session, row: CaseRow): Promise<void> {
      await insertRows(model, [row], session);
    },

    /** Raises the version too, with which a watch begins. Returns the changed cases. */
    async change(session: Session, ids: number[], change: Change): Promise<CaseRow[]> {
      const filter = { _id: { $in: ids } };
      const version = { $add: ['$version', 1] };
      // Texts may begin with $.
      const fields = Object.entries(change).map(([name, value]) => [name, { $literal: value }]);
      const begun = change.watched === true && { watched_version: version };
      const stage = { $set: { ...Object.fromEntries(fields), ...begun, version } };
      await model.updateMany(filter, [stage], { session, updatePipeline: true });
      return await model.find(filter).session(session).lean<CaseRow[]>();
    },

    async existingIds(session: Session, ids: number[]): Promise<Set<number>> {
      const rows = await model
        .find({ _id: { $in: ids } }, { _id: 1 })
        .session(session)
        .lean<Pick<CaseRow, '_id'>[]>();
      return new Set(rows.map(({ _id }) => _id));
    },

    /** Counts updates of different cases. Returns the number of cases that exist. */
    async addUpdates(session: Session, additions: readonly CaseAddition[]): Promise<number> {
      if (additions.length === 0) return 0;
      const writes = additions.map((addition) => ({
        updateOne: { filter: { _id: addition.id }, update: [{ $set: afterUpdates(addition) }] },
      }));
      return (await updateRows(model, writes, { session })).matchedCount;
    },

    /** Makes the transaction conflict with an erasure of the case. False if the case is gone. */
    async touch(session: Session, id: number): Promise<boolean> {
      const { matchedCount } = await model.updateOne({ _id: id }, { $inc: { attachments: 1 } }, { session });
      return matchedCount === 1;
    },

    /** The same of the latest update, if it still is that one. */
    async touchLatest(updates: readonly Touched[], at: Date): Promise<void> {
      const ids = updates.map(({ case_id }) => case_id);
      const latest = updates.map(({ status_update_id }) => status_update_id);
      const filter = { _id: { $in: ids }, 'latest_update.id': { $in: latest } };
      await model.updateMany(filter, { $max: { 'latest_update.touched_at': at } });
    },

    /** `caseVersion`: a report that is older than the present watch changes nothing. */
    async setMonitoring(
      id: number,
      monitoring: CaseRow['monitoring'],
      caseVersion: number | undefined,
    ): Promise<void> {
      const ofThisWatch = caseVersion !== undefined && { watched_version: { $not: { $gt: caseVersion } } };
      const older = { _id: id, 'monitoring.revision': { $lt: monitoring.revision }, ...ofThisWatch };
      await model.updateOne(older, { $set: { monitoring } });
    },

    /** An event older than `last_checked` changes nothing. */
    async setOverdue(id: number, since: Date): Promise<void> {
      const unchecked = { $or: [{ last_checked: null }, { last_checked: { $lte: since } }] };
      await model.updateOne({ _id: id, ...unchecked }, { $max: { overdue_since: since } });
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
  return {
    async find(id: number, session: Session | null = null): Promise<CaseRow | null> {
      return session === null ? await readRow(id) : await findRow(model, id, session);
    },

    async findSome(ids: readonly number[]): Promise<CaseRow[]> {
      return await findRows(model, { _id: { $in: [...ids] } });
    },

    async activeAmong(ids: number[]): Promise<number[]> {
      const rows = await model
        .find({ _id: { $in: ids }, active: true }, { _id: 1 })
        .lean<{ _id: number }[]>();
      return rows.map(({ _id }) => _id);
    },

    async isMonitored(
      userId: number,
      receiptNumber: string,
      session: Session | null = null,
    ): Promise<boolean> {
      const filter = { user_id: userId, receipt_number: receiptNumber, active: true };
      return (await model.exists(filter).session(session)) !== null;
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

    findPage: (page: CasePage) => findCasePage(model, page),
    countListed: (filter: CasePage['filter'], limit: number) => countCases(model, filter, limit),

    async count(partnerId: number): Promise<{ cases: number; active_cases: number }> {
      const groups = await model.aggregate<{ _id: boolean; count: number }>([
        { $match: { partner_id: partnerId } },
        { $group: { _id: '$active', count: { $sum: 1 } } },
      ]);
      const active = groups.find(({ _id }) => _id)?.count ?? 0;
      return { cases: groups.reduce((sum, { count }) => sum + count, 0), active_cases: active };
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

/** A check ends the time without one. Otherwise all cases would keep the mark of the last outage. */
function overdueAfter(checkedAt: Date) {
  return { $cond: [{ $lt: ['$overdue_since', checkedAt] }, null, '$overdue_since'] };
}

/** The highest observation is shown, whatever the order of arrival. */
function afterUpdates({ count, at, changedAt, newest }: CaseAddition) {
  const isNewest = { $gt: [newest.observation, { $ifNull: ['$latest_update.observation', 0] }] };
  return {
    update_count: { $add: ['$update_count', count] },
    updated_at: { $max: ['$updated_at', at] },
    last_checked: { $max: ['$last_checked', at] },
    ...(changedAt && { changed_at: { $max: ['$changed_at', changedAt] } }),
    overdue_since: overdueAfter(at),
    // Texts may begin with $.
    latest_update: { $cond: [isNewest, { $literal: newest }, '$latest_update'] },
  };
}
