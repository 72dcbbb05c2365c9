import { databaseTimeIn, type RowUpdate, type Session, updateRows } from '@casewatch/platform/database';
import type {
  Expected,
  NotificationChange,
  NotificationModel,
  NotificationRow,
} from './notification-model.ts';

/** `row`: as it was read; it changes only if it is still the same. */
export type RowChange = { row: NotificationRow; change: NotificationChange };

export function changeQueries(model: NotificationModel) {
  return {
    /** Changes rows, and returns them with their new values; null if one of them is not as expected. */
    async changeAll(session: Session, changes: readonly RowChange[]): Promise<NotificationRow[] | null> {
      const { matchedCount } = await updateRows(model, changes.map(toUpdate), { session });
      if (matchedCount < changes.length) return null;
      return changes.map(({ row, change: { dueInMs: _due, ...fields } }) => ({
        ...row,
        ...fields,
        lease_until: null,
        revision: row.revision + 1,
      }));
    },

    /** Those changes whose rows are as expected. */
    async stillPossible(changes: readonly RowChange[]): Promise<RowChange[]> {
      const ids = changes.map(({ row }) => row._id);
      const stored = await model.find({ _id: { $in: ids } }).lean<NotificationRow[]>();
      const byId = new Map(stored.map((row) => [row._id, row]));
      return changes.filter(({ row }) => isAsExpected(byId.get(row._id), row));
    },
  };
}

function isAsExpected(stored: Expected | undefined, { status, fence, revision }: Expected): boolean {
  return stored?.status === status && stored.fence === fence && stored.revision === revision;
}

function toUpdate({ row: { _id, status, fence, revision }, change }: RowChange): RowUpdate {
  const { dueInMs, ...fields } = change;
  const expected: Expected = { _id, status, fence, revision };
  const times = {
    next_attempt_at: dueInMs === null ? null : databaseTimeIn(dueInMs),
    // What was held, or is sent again by an operator, waits from then on.
    ...(fields.held && dueInMs !== null && { unsent_since: databaseTimeIn(dueInMs) }),
    lease_until: null,
    revision: revision + 1,
  };
  // $literal: a provider's text may begin with `$`.
  const changed = { $mergeObjects: ['$$ROOT', { $literal: fields }, times] };
  return { updateOne: { filter: expected, update: [{ $replaceWith: changed }] } };
}
