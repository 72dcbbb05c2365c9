import type { Channel } from '@casewatch/contracts';
import { databaseTimeIn, hasPassed, type RowUpdate, type Session, updateRows } from '@casewatch/platform';
import type {
  Expected,
  NotificationChange,
  NotificationModel,
  NotificationRow,
} from './notification-model.ts';

type Due = Pick<NotificationRow, 'user_id'> & { next_attempt_at: Date };

export type Submission = {
  rows: readonly NotificationRow[];
  digest: string | null;
};

/** Longest wait for a row that a transaction locks, ms. */
const startWaitMs = 1_000;

/** Rows that are due, the start of attempts, and changes of rows. */
export function claimQueries(model: NotificationModel) {
  return {
    /** The oldest rows of a channel that became due after `from`: claimed rows leave dead index entries before it. */
    async due(
      { channel, from, without }: { channel: Channel; from: Date; without: readonly number[] },
      limit: number,
    ): Promise<Due[]> {
      const { next_attempt_at, ...passed } = hasPassed('next_attempt_at');
      return await model
        .find({
          channel,
          status: 'pending',
          next_attempt_at: { ...next_attempt_at, $gt: from },
          ...passed,
          user_id: { $nin: [...without] },
        })
        .sort({ next_attempt_at: 1 })
        .limit(limit)
        .select({ user_id: 1, next_attempt_at: 1 })
        .lean<Due[]>();
    },

    /** What is not settled of these users, also what waits for another attempt. */
    async openOf(userIds: readonly number[], channel: Channel): Promise<NotificationRow[]> {
      return await model
        .find({ user_id: { $in: [...userIds] }, channel, status: { $in: ['pending', 'sending'] } })
        .lean<NotificationRow[]>();
    },

    /** Makes rows due later; nothing was attempted. `isHeld`: for a digest, the cap or quiet hours. */
    async postpone(delays: readonly { ids: string[]; dueInMs: number; isHeld: boolean }[]): Promise<void> {
      const updates = delays.map(({ ids, dueInMs, isHeld }) => {
        const due = { next_attempt_at: databaseTimeIn(dueInMs), ...(isHeld && { held: true }) };
        const filter = { _id: { $in: ids }, status: 'pending' };
        return { updateMany: { filter, update: [{ $set: due }] } };
      });
      if (updates.length > 0) await updateRows(model, updates);
    },

    /** Counts the attempts before the submission. Returns the rows that were still pending. */
    async startAttempts(
      submissions: readonly Submission[],
      { token, leaseMs }: { token: string; leaseMs: number },
    ): Promise<NotificationRow[]> {
      const updates = submissions.map(({ rows, digest }): RowUpdate => {
        const attempt = {
          status: 'sending',
          lease_until: databaseTimeIn(leaseMs),
          attempt_started_at: '$$NOW',
          attempts: { $add: ['$attempts', 1] },
          fence: { $add: ['$fence', 1] },
          claim: token,
          digest,
        };
        const filter = { _id: { $in: rows.map(({ _id }) => _id) }, status: 'pending' };
        return { updateMany: { filter, update: [{ $set: attempt }] } };
      });
      await updateRows(model, updates, { longestMs: startWaitMs });
      const ids = submissions.flatMap(({ rows }) => rows.map(({ _id }) => _id));
      return await model
        .find({ _id: { $in: ids }, status: 'sending', claim: token })
        .lean<NotificationRow[]>();
    },

    /** Changes those rows that are as expected, and returns them with their new values. */
    async changeAll(
      session: Session,
      changes: readonly { expected: Expected; change: NotificationChange }[],
    ): Promise<NotificationRow[]> {
      const ids = changes.map(({ expected }) => expected._id);
      const rows = await model
        .find({ _id: { $in: ids } })
        .session(session)
        .lean<NotificationRow[]>();
      const byId = new Map(rows.map((row) => [row._id, row]));
      const possible = changes.flatMap(({ expected, change }) => {
        const row = byId.get(expected._id);
        return row && isAsExpected(row, expected) ? [{ expected, change, row }] : [];
      });
      if (possible.length === 0) return [];
      await updateRows(model, possible.map(toUpdate), { session });
      return possible.map(({ row, change: { dueInMs: _due, ...fields } }) => ({
        ...row,
        ...fields,
        lease_until: null,
        revision: row.revision + 1,
      }));
    },

    /** Rows whose sender died while sending. */
    async interrupted(limit: number): Promise<NotificationRow[]> {
      const ended = { status: 'sending', ...hasPassed('lease_until') } as const;
      return await model.find(ended).limit(limit).lean<NotificationRow[]>();
    },
  };
}

function isAsExpected(row: NotificationRow, { status, fence }: Expected): boolean {
  return row.status === status && row.fence === fence;
}

function toUpdate({ expected, change }: { expected: Expected; change: NotificationChange }): RowUpdate {
  const { dueInMs, ...fields } = change;
  const times = {
    next_attempt_at: dueInMs === null ? null : databaseTimeIn(dueInMs),
    lease_until: null,
    revision: { $add: ['$revision', 1] },
  };
  // $literal: a provider's text may begin with `$`.
  const row = { $mergeObjects: ['$$ROOT', { $literal: fields }, times] };
  return {
    updateOne: { filter: { ...expected }, update: [{ $replaceWith: row }, { $unset: 'in_flight' }] },
  };
}
