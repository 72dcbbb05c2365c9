import type { Channel } from '@casewatch/contracts';
import { databaseTimeIn, hasPassed, type RowUpdate, updateRows } from '@casewatch/platform/database';
import type { NotificationModel, NotificationRow } from './notification-model.ts';

type Due = Pick<NotificationRow, 'user_id'> & { next_attempt_at: Date };

export type Submission = {
  rows: readonly NotificationRow[];
  digest: string | null;
};

/** Longest wait for a row that a transaction locks, ms. */
const startWaitMs = 1_000;

/** Rows that are due, and the start of attempts. */
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
        const dueAt = databaseTimeIn(dueInMs);
        const due = { next_attempt_at: dueAt, ...(isHeld && { held: true, unsent_since: dueAt }) };
        const filter = { _id: { $in: ids }, status: 'pending' };
        return { updateMany: { filter, update: [{ $set: due }] } };
      });
      if (updates.length > 0) await updateRows(model, updates);
    },

    /**
     * Counts the attempts before the submission. Returns the rows that were still pending; times may be those before.
     * @throws MongoServerError after a second at a locked row; others of them may be started then
     */
    async startAttempts(
      submissions: readonly Submission[],
      { token, leaseMs }: { token: string; leaseMs: number },
    ): Promise<NotificationRow[]> {
      const times = { lease_until: databaseTimeIn(leaseMs), attempt_started_at: '$$NOW' };
      const started = submissions.flatMap(({ rows, digest }) =>
        rows.map((row) => ({ ...row, ...nextAttempt(row), claim: token, digest })),
      );
      const updates = started.map(({ _id, status, attempts, fence, claim, digest }): RowUpdate => {
        const attempt = { status, attempts, fence, claim, digest, submitted_at: null, ...times };
        const filter = { _id, status: 'pending', fence: fence - 1 };
        return { updateOne: { filter, update: [{ $set: attempt }] } };
      });
      const { matchedCount } = await updateRows(model, updates, { longestMs: startWaitMs });
      if (matchedCount === started.length) return started;
      const ids = started.map(({ _id }) => _id);
      return await model
        .find({ _id: { $in: ids }, status: 'sending', claim: token })
        .lean<NotificationRow[]>();
    },

    /** Nothing was submitted: makes of those that were started what they were before. */
    async undoStart(rows: readonly NotificationRow[], token: string): Promise<void> {
      const updates = rows.map((row): RowUpdate => {
        const { _id, status, attempts, lease_until, attempt_started_at, digest = null } = row;
        const before = { status, attempts, lease_until, attempt_started_at, digest };
        const filter = { _id, status: 'sending', claim: token };
        return { updateOne: { filter, update: { $set: before } } };
      });
      await updateRows(model, updates);
    },

    /**
     * Notes that the attempt is about to be submitted. Waits for the majority: without the note a kill looks like an attempt
     * that never was. False if a row is not in this attempt any more.
     */
    async noteSubmitted(rows: readonly NotificationRow[], claim: string): Promise<boolean> {
      const ids = rows.map(({ _id }) => _id);
      const inAttempt = { _id: { $in: ids }, claim, status: 'sending' };
      const note = { updateMany: { filter: inAttempt, update: [{ $set: { submitted_at: '$$NOW' } }] } };
      const { matchedCount } = await updateRows(model, [note]);
      return matchedCount === ids.length;
    },

    /** Notes that the mail server accepted the attempt. Waits for one member only: an election that loses the note costs a double. */
    async noteAccepted(
      rows: readonly NotificationRow[],
      { claim, ...accepted }: { claim: string; at: Date; template: string },
    ): Promise<void> {
      const ids = rows.map(({ _id }) => _id);
      const update = { $set: { accepted: { claim, ...accepted } } };
      const change = { updateMany: { filter: { _id: { $in: ids }, claim }, update } };
      await updateRows(model, [change], { writeConcern: { w: 1 } });
    },

    /** Rows whose sender died while sending. */
    async interrupted(limit: number): Promise<NotificationRow[]> {
      const ended = { status: 'sending', ...hasPassed('lease_until') } as const;
      return await model.find(ended).limit(limit).lean<NotificationRow[]>();
    },
  };
}

function nextAttempt({ attempts, fence }: NotificationRow) {
  return { status: 'sending' as const, attempts: attempts + 1, fence: fence + 1 };
}
