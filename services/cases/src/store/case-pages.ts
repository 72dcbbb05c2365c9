import type { Position } from '@casewatch/platform';
import type { Model, QueryFilter } from 'mongoose';
import type { CaseRow } from './cases.ts';

/** Which cases of a partner, or of one user, in which order, from where. */
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
  /** The last row of the page before: the field's value (ISO, or null) and the id. */
  after: Position | null;
  limit: number;
};

/** One page of cases; ties are broken by id in the same direction. */
export async function findCasePage(
  model: Model<CaseRow>,
  { filter, field, direction, after, limit }: CasePage,
): Promise<CaseRow[]> {
  return await model
    .find({ $and: [conditions(filter), after === null ? {} : beyond(field, direction, after)] })
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

/** What comes after a position. Null sorts before every date, and no comparison with a date finds it. */
function beyond(field: CasePage['field'], direction: 1 | -1, [value, id]: Position): QueryFilter<CaseRow> {
  const further = direction === 1 ? '$gt' : '$lt';
  const at = value === null ? null : new Date(value);
  const tie = { [field]: at, _id: { [further]: id } };
  if (at === null) return direction === 1 ? { $or: [tie, { [field]: { $ne: null } }] } : tie;
  const later = { [field]: { [further]: at } };
  const withNulls = direction === -1 && field === 'last_checked';
  return { $or: withNulls ? [tie, later, { [field]: null }] : [tie, later] };
}
