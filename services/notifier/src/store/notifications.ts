import type { Channel } from '@casewatch/contracts';
import { type Connection, hasPassed, type Session, updateRows } from '@casewatch/platform/database';
import type mongoose from 'mongoose';
import { suppressedReasons } from '../domain/skip-reason.ts';
import {
  countByStatus,
  countDue,
  type DueMessages,
  readUnsent,
  type StatusCount,
  type Unsent,
} from './message-counts.ts';
import { changeQueries } from './notification-changes.ts';
import { claimQueries } from './notification-claims.ts';
import { type NewNotification, type NotificationRow, notificationModel } from './notification-model.ts';
import { reportQueries } from './notification-reports.ts';

export function createNotificationStore(db: Connection) {
  const model = notificationModel(db);
  return {
    ...claimQueries(model),
    ...changeQueries(model),
    ...reportQueries(model),

    /** Returns the ids of those rows that were not stored before. */
    async insertAll(session: Session, rows: readonly NewNotification[]): Promise<Set<string>> {
      const updates = rows.map(({ _id, ...row }) => {
        const isPending = row.status === 'pending';
        const due = {
          next_attempt_at: isPending ? '$$NOW' : null,
          ...(isPending && { unsent_since: '$$NOW' }),
        };
        // A stored row stays: its fields come last. $literal: a text may begin with `$`.
        const whole = { $mergeObjects: [{ $literal: row }, due, '$$ROOT'] };
        return { updateOne: { filter: { _id }, update: [{ $replaceWith: whole }], upsert: true } };
      });
      const { upsertedIds } = await updateRows(model, updates, { session });
      return new Set(Object.values(upsertedIds).map(String));
    },

    async find(id: string): Promise<NotificationRow | null> {
      return await model.findById(id).lean<NotificationRow>();
    },

    async findAll(ids: readonly string[]): Promise<NotificationRow[]> {
      return await model.find({ _id: { $in: [...ids] } }).lean<NotificationRow[]>();
    },

    /** By the index of the user's notifications. */
    async ofCase(userId: number, caseId: number): Promise<NotificationRow[]> {
      return await model.find({ user_id: userId, case_id: caseId }).lean<NotificationRow[]>();
    },

    /** Newest of the partner that were not sent for a reason that stays, or that failed. */
    async undeliverableOf(
      partnerId: number,
      since: Date,
      limit: number,
    ): Promise<Pick<NotificationRow, 'user_id' | 'channel'>[]> {
      const recent = { partner_id: partnerId, created_at: { $gte: since } };
      const some = async (condition: mongoose.QueryFilter<NotificationRow>) =>
        await model
          .find({ ...recent, ...condition }, { user_id: 1, channel: 1 })
          .sort({ created_at: -1 })
          .limit(limit)
          .lean<Pick<NotificationRow, 'user_id' | 'channel'>[]>();
      const suppressed = { reason: { $in: [...suppressedReasons] } };
      return (await Promise.all([some(suppressed), some({ status: 'failed' })])).flat();
    },

    /** `code`: the beginning of `last_error`. */
    async failedSince(
      { channel, since, code }: { channel: Channel; since: Date; code: string },
      limit: number,
    ): Promise<NotificationRow[]> {
      const begins = { $eq: [{ $indexOfCP: [{ $ifNull: ['$last_error', ''] }, code] }, 0] };
      return await model
        .find({ channel, status: 'failed', created_at: { $gte: since }, $expr: begins })
        .limit(limit)
        .lean<NotificationRow[]>();
    },

    /** Of a due notification of the channel; 0 if none is due. */
    async longestWaitSeconds(channel: Channel): Promise<number> {
      const seconds = {
        $dateDiff: { startDate: '$next_attempt_at', endDate: '$$NOW', unit: 'second' },
      };
      const [oldest] = await model.aggregate<{ seconds: number }>([
        { $match: { channel, status: 'pending', ...hasPassed('next_attempt_at') } },
        { $sort: { next_attempt_at: 1 } },
        { $limit: 1 },
        { $project: { seconds } },
      ]);
      return oldest?.seconds ?? 0;
    },

    async unsent(channel: Channel): Promise<Unsent> {
      return await readUnsent(model, { channel, status: { $in: ['pending', 'sending'] } }, 'unsent_since');
    },

    async countDue(channel: Channel): Promise<DueMessages> {
      return await countDue(model, { channel, status: 'pending' }, 'next_attempt_at');
    },

    /** By the index of the expiry. */
    async countSince(channel: Channel, since: Date): Promise<StatusCount[]> {
      return await countByStatus(model, { channel, created_at: { $gte: since } });
    },

    async deleteOfUser(userId: number): Promise<number> {
      const { deletedCount } = await model.deleteMany({ user_id: userId });
      return deletedCount;
    },
  };
}
