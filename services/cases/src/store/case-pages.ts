import type { Position } from '@casewatch/platform';
import type { Model, QueryFilter } from 'mongoose';
import type { CaseRow } from './cases.ts';

export type CasePage = {
  filter: {
    partner_id?: number | undefined;
    user_id: number | undefined;
    active: boolean | undefined;
    receipt_number: string | undefined;
    category: string | undefined;
    updated_since: Date | undefined;
  };
  field: 'created_at' | 'last_checked';
  direction: 1 | -1;
  after: Position | null;
  limit: number;
};

export async function findCasePage(
  model: Model<CaseRow>,
  { filter, field, direction, after, limit }: CasePage,
): Promise<CaseRow[]> {
  return await model
    .find({ $and: [conditions(filter), after === null ? {} : rowsAfter(field, direction, after)] })
    .sort({ [field]: direction, _id: direction })
    .limit(limit)
    .lean<CaseRow[]>();
}

function conditions(filter: CasePage['filter']): QueryFilter<CaseRow> {
  return {
    ...(filter.partner_id !== undefined && { partner_id: filter.partner_id }),
    ...(filter.user_id !== undefined && { user_id: filter.user_id }),
    ...(filter.active !== undefined && { active: filter.active }),
    ...(filter.receipt_number !== undefined && { receipt_number: filter.receipt_number }),
    ...(filter.category !== undefined && { 'latest_update.category': filter.category }),
    ...(filter.updated_since !== undefined && { updated_at: { $gte: filter.updated_since } }),
  };
}

/** Rows after a position. Null sorts before every date, and no comparison with a date matches null. */
function rowsAfter(field: CasePage['field'], direction: 1 | -1, [value, id]: Position): QueryFilter<CaseRow> {
  const operator = direction === 1 ? '$gt' : '$lt';
  const at = value === null ? null : new Date(value);
  const tie = { [field]: at, _id: { [operator]: id } };
  if (at === null) return direction === 1 ? { $or: [tie, { [field]: { $ne: null } }] } : tie;
  const later = { [field]: { [operator]: at } };
  const withNulls = direction === -1 && field === 'last_checked';
  return { $or: withNulls ? [tie, later, { [field]: null }] : [tie, later] };
}
