import type { Channel } from '@casewatch/contracts';
import { type Connection, hasPassed, type Session, updateRows } from '@casewatch/platform';
import { claimQueries } from './notification-claims.ts';
import { type NewNotification, type NotificationRow, notificationModel } from './notification-model.ts';

export function createNotificationStore(db: Connection) {
  const model = notificationModel(db);
  return {
    ...claimQueries(model),

    /** Returns the ids of those rows that were not stored before. */
    async insertAll(session: Session, rows: readonly NewNotification[]): Promise<Set<string>> {
      const updates = rows.map(({ _id, ...row }) => {
        const due = { next_attempt_at: row.status === 'pending' ? '$$NOW' : null };
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

    async findByProviderId(providerId: string): Promise<NotificationRow | null> {
      return await model.findOne({ provider_message_id: providerId }).lean<NotificationRow>();
    },

    async setRank(ids: readonly string[], rank: number): Promise<void> {
      const lower = { _id: { $in: [...ids] }, provider_rank: { $lt: rank } };
      await model.updateMany(lower, { $set: { provider_rank: rank } });
    },

    async ownedProviderIds(providerIds: readonly string[]): Promise<string[]> {
      const rows = await model
        .find({ provider_message_id: { $in: [...providerIds] } }, { provider_message_id: 1 })
        .lean<NotificationRow[]>();
      return rows.flatMap(({ provider_message_id }) => provider_message_id ?? []);
    },

    /** WhatsApp messages that were accepted some time ago and looked up so often, without a report of their delivery. */
    async unreported(
      { polls, afterMs }: { polls: number; afterMs: number },
      limit: number,
    ): Promise<NotificationRow[]> {
      const isOld = { $lte: ['$sent_at', { $subtract: ['$$NOW', afterMs] }] };
      return await model
        .find({
          channel: 'whatsapp',
          status: 'sent',
          sent_at: { $gt: new Date(0) },
          polls: polls === 0 ? { $in: [0, null] } : polls,
          $expr: isOld,
        })
        .limit(limit)
        .lean<NotificationRow[]>();
    },

    async setPolls(ids: readonly string[], polls: number): Promise<void> {
      if (ids.length > 0) await model.updateMany({ _id: { $in: [...ids] } }, { $set: { polls } });
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

    async deleteOfUser(userId: number): Promise<number> {
      const { deletedCount } = await model.deleteMany({ user_id: userId });
      return deletedCount;
    },
  };
}
