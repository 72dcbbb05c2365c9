import {
  maxTotal,
  type MonitoringState,
  queryWords,
  readReceiptNumber,
  searchWords,
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
  wordsIndex,
} from '@casewatch/platform/database';
import type mongoose from 'mongoose';
import { userCaseId } from '../rules/case.ts';
import type { Observed } from '../rules/status-update.ts';
import type { WatchFacts } from '../rules/watching.ts';
import type { OfStaff } from './acknowledgements.ts';
import type { Touched } from './status-updates.ts';

export type CaseRow = WatchFacts & {
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
  uscis_access_acknowledged_at: Date;
  uscis_access_ack_version: string;
  /** Grows only to conflict with an erasure of the case. */
  attachments: number;
  /** By which the firm finds it. This store keeps them; cases of direct users have none. */
  words?: string[];
};

/** Matches the rows of the index `by_delay`. */
const anyTime = { $gt: new Date(0) };

const ofAssigned = { partialFilterExpression: { assignee_id: { $gt: 0 } } };
const ofTrouble = { partialFilterExpression: { 'monitoring.state': { $in: ['not_found', 'rejected'] } } };
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
    name: 'by_latest_change_with_orders',
    keys: { partner_id: 1, changed_at: 1, _id: 1, created_at: 1, last_checked: 1 },
  },
  {
    name: 'by_change_with_orders',
    keys: { partner_id: 1, updated_at: 1, _id: 1, created_at: 1, last_checked: 1, changed_at: 1 },
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
  // Only counts cases.
  {
    name: 'by_category_and_activity',
    keys: { partner_id: 1, 'latest_update.category': 1, active: 1, updated_at: 1 },
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
    name: 'by_delay',
    keys: { partner_id: 1, overdue_since: 1 },
    partialFilterExpression: { overdue_since: anyTime },
  },
  // An urgent status is rare: one index for each order of the list, with these cases alone.
  { name: 'urgent_by_creation', keys: { partner_id: 1, created_at: 1, _id: 1 }, ...ofUrgent },
  { name: 'urgent_by_check', keys: { partner_id: 1, last_checked: 1, _id: 1 }, ...ofUrgent },
  { name: 'urgent_by_latest_change', keys: { partner_id: 1, changed_at: 1, _id: 1 }, ...ofUrgent },
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
  Pick<CaseRow, 'active' | 'assignee_id' | 'updated_at'> &
    Omit<WatchFacts, 'last_checked' | 'watched_version'>
>;
type Texts = Partial<Pick<CaseRow, 'description' | 'reference'>>;

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

export function createCaseStore(db: Connection) {
  const model = cases(db);

  async function changedFrom(session: Session, filter: object, change: object): Promise<CaseRow | null> {
    const options = { session, returnDocument: 'before' } as const;
    return await model.findOneAndUpdate(filter, change, options).lean<CaseRow>();
  }

  async function changeRows(
    session: Session,
    ids: number[],
    change: Change & Partial<Pick<CaseRow, 'words'>>,
  ): Promise<CaseRow[]> {
    const filter = { _id: { $in: ids } };
    const version = { $add: ['$version', 1] };
    // Texts may begin with $.
    const fields = Object.entries(change).map(([name, value]) => [name, { $literal: value }]);
    const begun = change.watched === true && { watched_version: version };
    const stage = { $set: { ...Object.fromEntries(fields), ...begun, version } };
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

    async insert(session: Session, row: CaseRow): Promise<void> {
      await insertRows(model, [{ ...row, words: wordsOf(row) }], session);
    },

    /** Raises the version too, with which a watch begins. Returns the changed cases. */
    async change(session: Session, ids: number[], change: Change): Promise<CaseRow[]> {
      return await changeRows(session, ids, change);
    },

    /** Changes the texts of a case too, and with them the words by which it is found. */
    async changeTexts(session: Session, row: CaseRow, change: Change & Texts): Promise<CaseRow[]> {
      return await changeRows(session, [row._id], { ...change, words: wordsOf({ ...row, ...change }) });
    },

    /** Counts an update. Returns who works on the case; null if the case is gone. */
    async addUpdate(
      session: Session,
      { id, update, isChange }: CaseAddition,
    ): Promise<Pick<CaseRow, 'assignee_id'> | null> {
      const { observation, timestamp } = update;
      const isNewest = { $gt: [observation, { $ifNull: ['$latest_update.observation', 0] }] };
      const set = {
        update_count: { $add: ['$update_count', 1] },
        updated_at: { $max: ['$updated_at', timestamp] },
        last_checked: { $max: ['$last_checked', timestamp] },
        ...(isChange && { changed_at: { $max: ['$changed_at', timestamp] } }),
        overdue_since: overdueAfter(timestamp),
        // The highest observation is shown, whatever the order of arrival. Texts may begin with $.
        latest_update: { $cond: [isNewest, { $literal: update }, '$latest_update'] },
      };
      const options = { session, updatePipeline: true, projection: { assignee_id: 1 } };
      return await model.findOneAndUpdate({ _id: id }, [{ $set: set }], options).lean<CaseRow>();
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

    /** Returns the case before the change; null if nothing changed: a report that is older than the present watch. */
    async setMonitoring(
      session: Session,
      { id, monitoring, caseVersion }: MonitoringReport,
    ): Promise<CaseRow | null> {
      const ofThisWatch = caseVersion !== undefined && { watched_version: { $not: { $gt: caseVersion } } };
      const older = { _id: id, 'monitoring.revision': { $lt: monitoring.revision }, ...ofThisWatch };
      return await changedFrom(session, older, { $set: { monitoring } });
    },

    /** Returns the case before the change; null if nothing changed: an event older than `last_checked`. */
    async setOverdue(session: Session, id: number, since: Date): Promise<CaseRow | null> {
      const unchecked = { $or: [{ last_checked: null }, { last_checked: { $lte: since } }] };
      return await changedFrom(session, { _id: id, ...unchecked }, { $max: { overdue_since: since } });
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

    /** Those that exist. Parallel calls share a command: in a burst, each event of other services asks for its case. */
    async findSome(ids: readonly number[]): Promise<CaseRow[]> {
      const rows = await Promise.all([...new Set(ids)].map(readRow));
      return rows.filter((row) => row !== null);
    },

    async existsAny(ids: readonly number[]): Promise<boolean> {
      return (await model.exists({ _id: { $in: [...ids] } })) !== null;
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

    async count(partnerId: number): Promise<{ cases: number; active_cases: number }> {
      const groups = await model.aggregate<{ _id: boolean; count: number }>([
        { $match: { partner_id: partnerId } },
        { $group: { _id: '$active', count: { $sum: 1 } } },
      ]);
      const active = groups.find(({ _id }) => _id)?.count ?? 0;
      return { cases: groups.reduce((sum, { count }) => sum + count, 0), active_cases: active };
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

/** What a list shows; undefined: all. */
export type CaseFilter = {
  partner_id?: number | undefined;
  user_id?: number | undefined;
  active?: boolean | undefined;
  receipt_number?: string | undefined;
  category?: string[] | undefined;
  updated_since?: Date | undefined;
  changed_since?: Date | undefined;
  monitoring?: MonitoringState | undefined;
  urgent?: boolean | undefined;
  reference?: string | undefined;
  assignee_id?: number | undefined;
  /** What a search found. */
  ids?: readonly number[] | undefined;
};

export type CasePage = {
  filter: CaseFilter;
  field: 'created_at' | 'last_checked' | 'changed_at';
  direction: 1 | -1;
  after: Position | null;
  limit: number;
  /** What `countListed` says, for lists with a `timeIndex`. */
  counted?: number | null;
};

type Filter = mongoose.mongo.Filter<CaseRow>;

/** The index that counts the cases of these filters without reading them; of overdue ones, the few rows are read. Others have no total. */
const countedBy: Readonly<Record<string, string>> = {
  '': 'by_creation',
  active: 'by_state_and_creation',
  receipt_number: 'by_receipt',
  reference: 'by_reference',
  assignee_id: 'by_assignee',
  updated_since: 'by_change_with_orders',
  changed_since: 'by_latest_change_with_orders',
  category: 'by_category_and_activity',
  'active,category': 'by_category_and_activity',
  'active,category,updated_since': 'by_category_and_activity',
  'category,changed_since': 'by_category_and_latest_change',
  'monitoring=paused': 'by_state_and_creation',
  'monitoring=not_found': 'by_trouble',
  'monitoring=rejected': 'by_trouble',
  'monitoring=overdue': 'by_delay',
  'urgent=true': 'urgent_by_activity',
  'active,urgent=true': 'urgent_by_activity',
  'active,updated_since,urgent=true': 'urgent_by_activity',
};

/**
 * The index of a list that is filtered by a time alone, and sorted otherwise: how it is read best depends on how many there are.
 * Undefined: another list.
 */
export function timeIndex(
  { partner_id: _, ...filter }: CaseFilter,
  field: CasePage['field'],
): string | undefined {
  const [name, ...others] = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (others.length > 0) return undefined;
  const isTime = name === 'updated_since' || (name === 'changed_since' && field !== 'changed_at');
  return isTime ? countedBy[name] : undefined;
}

function listQueries(model: ReturnType<typeof cases>) {
  return {
    /** One page of the cases of a partner or a user. */
    async findPage({ filter, field, direction, after, limit, counted }: CasePage): Promise<CaseRow[]> {
      const position = after === null ? {} : rowsAfter(field, direction, after);
      const sort = { [field]: direction, _id: direction };
      // Of a few ids all are read, whatever the order.
      const hint = filter.ids ? '_id_' : undefined;
      const reading = { sort, limit, ...(hint && { hint }) };
      const asked = { $and: [conditions(filter), position] };
      const times = timeIndex(filter, field);
      // Of many, the list in its own order soon has a page.
      if (!times || counted == null || counted > maxTotal) return await findRows(model, asked, reading);
      const keys = await findRows<CaseRow, Pick<CaseRow, '_id'>>(model, asked, {
        ...reading,
        projection: { _id: 1 },
        hint: times,
      });
      const byId = { _id: { $in: keys.map(({ _id }) => _id) } };
      return await findRows(model, byId, { sort, hint: '_id_' });
    },

    /** Cases of the partner with words that begin as those of the text do. A receipt number may be written as people paste it. */
    async search(partnerId: number, text: string, limit: number): Promise<Found> {
      const { receipt, fault } = readReceiptNumber(text);
      const words = queryWords(fault === null ? receipt : text).map((word) => [word]);
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
  const isOverdue = {
    $and: [
      { $lte: [{ $ifNull: ['$monitoring.since', '$overdue_since'] }, '$overdue_since'] },
      { $lte: [{ $ifNull: ['$last_checked', '$overdue_since'] }, '$overdue_since'] },
    ],
  };
  // What is watched is active.
  const isWatched = { active: active ?? true, watched: true, 'monitoring.state': 'watched' } as const;
  if (state === 'overdue') return { ...isWatched, overdue_since: anyTime, $expr: isOverdue };
  return { ...isWatched, $or: [{ overdue_since: null }, { $expr: { $not: isOverdue } }] };
}

/** Rows after a position. Null sorts before every date, and no comparison with a date matches null. */
function rowsAfter(field: CasePage['field'], direction: 1 | -1, [value, id]: Position): Filter {
  const operator = direction === 1 ? '$gt' : '$lt';
  const at = value === null ? null : new Date(value);
  const tie = { [field]: at, _id: { [operator]: id } };
  if (at === null) return direction === 1 ? { $or: [tie, { [field]: { $ne: null } }] } : tie;
  const later = { [field]: { [operator]: at } };
  const withNulls = direction === -1 && field !== 'created_at';
  return { $or: withNulls ? [tie, later, { [field]: null }] : [tie, later] };
}
