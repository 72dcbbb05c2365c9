import type { MonitoringState } from '@casewatch/contracts';
import type { Position } from '@casewatch/platform';
import { findRows } from '@casewatch/platform/database';
import type mongoose from 'mongoose';
import type { CaseRow } from './case-row.ts';

export type CasePage = {
  filter: {
    partner_id?: number | undefined;
    user_id: number | undefined;
    active: boolean | undefined;
    receipt_number: string | undefined;
    category: string[] | undefined;
    updated_since: Date | undefined;
    changed_since: Date | undefined;
    monitoring: MonitoringState | undefined;
  };
  field: 'created_at' | 'last_checked' | 'changed_at';
  direction: 1 | -1;
  after: Position | null;
  limit: number;
};

/** What a list reads of a case. The latest update is read apart: it is nine tenths of a case, and seldom changes. */
export type ListedCase = CaseFacts & { latest_update?: { id: number; touched_at?: Date | null } | null };

export type CaseFacts = Pick<CaseRow, Exclude<keyof typeof listedFields, `latest_update.${string}`>>;

const listedFields = {
  _id: 1,
  user_id: 1,
  receipt_number: 1,
  description: 1,
  active: 1,
  created_at: 1,
  last_checked: 1,
  changed_at: 1,
  update_count: 1,
  'latest_update.id': 1,
  'latest_update.touched_at': 1,
} as const;

type Filter = mongoose.mongo.Filter<CaseRow>;

/** Matches the rows of the index `by_delay`. */
export const anyTime = { $gt: new Date(0) };

/** One page of the cases of a partner or a user, as a list shows them. */
export async function findCasePage(
  model: mongoose.Model<CaseRow>,
  { filter, field, direction, after, limit }: CasePage,
): Promise<ListedCase[]> {
  const position = after === null ? {} : rowsAfter(field, direction, after);
  const sort = { [field]: direction, _id: direction };
  const reading = { sort, limit, projection: listedFields };
  return await findRows<CaseRow, ListedCase>(model, { $and: [conditions(filter), position] }, reading);
}

/** The filters, by their names, that an index of the partner's cases answers alone. Few cases are overdue: they are read. */
const countedBy: Readonly<Record<string, string>> = {
  '': 'by_creation',
  active: 'by_activity',
  receipt_number: 'by_receipt',
  updated_since: 'by_change',
  changed_since: 'by_latest_change',
  category: 'by_category_and_activity',
  'active,category': 'by_category_and_activity',
  'active,category,updated_since': 'by_category_and_activity',
  'category,changed_since': 'by_category_and_latest_change',
  'monitoring=paused': 'by_watching',
  'monitoring=not_found': 'by_trouble',
  'monitoring=rejected': 'by_trouble',
  'monitoring=overdue': 'by_delay',
};

/** How many cases match, at most `limit`. Null: no index can count them. */
export async function countCases(
  model: mongoose.Model<CaseRow>,
  filter: CasePage['filter'],
  limit: number,
): Promise<number | null> {
  const { partner_id: _, ...others } = filter;
  const names = Object.entries(others).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [name === 'monitoring' ? `${name}=${filter.monitoring}` : name];
  });
  const hint = countedBy[names.sort().join()];
  if (hint === undefined) return null;
  return await model
    .countDocuments(conditions(filter) as object)
    .hint(hint)
    .limit(limit);
}

function conditions(filter: CasePage['filter']): Filter {
  return {
    ...(filter.partner_id !== undefined && { partner_id: filter.partner_id }),
    ...(filter.user_id !== undefined && { user_id: filter.user_id }),
    ...(filter.active !== undefined && { active: filter.active }),
    ...(filter.receipt_number !== undefined && { receipt_number: filter.receipt_number }),
    ...(filter.category !== undefined && { 'latest_update.category': { $in: filter.category } }),
    ...(filter.updated_since !== undefined && { updated_at: { $gte: filter.updated_since } }),
    ...(filter.changed_since !== undefined && { changed_at: { $gte: filter.changed_since } }),
    ...(filter.monitoring !== undefined && inState(filter.monitoring)),
  };
}

/** As `monitoringOf` says it of a row. */
function inState(state: MonitoringState): Filter {
  if (state === 'paused') return { watched: false };
  if (state === 'not_found' || state === 'rejected') return { watched: true, 'monitoring.state': state };
  const isOverdue = {
    $and: [
      { $lte: [{ $ifNull: ['$monitoring.since', '$overdue_since'] }, '$overdue_since'] },
      { $lte: [{ $ifNull: ['$last_checked', '$overdue_since'] }, '$overdue_since'] },
    ],
  };
  const isWatched = { watched: true, 'monitoring.state': 'watched' } as const;
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
