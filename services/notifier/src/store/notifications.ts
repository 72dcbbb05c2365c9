import type { Channel } from '@casewatch/contracts';
import type { Connection, Session } from '@casewatch/platform';
import { claimQueries } from './notification-claims.ts';
import { type NewNotification, type NotificationRow, notificationModel } from './notification-model.ts';

export function createNotificationStore(db: Connection) {
  const model = notificationModel(db);
  return {
    ...claimQueries(model),

    async insert(session: Session, rows: NewNotification[]): Promise<void> {
      await model.insertMany(
        rows.map((row) => ({ ...row, next_attempt_at: null })),
        { session },
      );
      const ids = rows.filter(({ status }) => status === 'pending').map(({ _id }) => _id);
      if (ids.length === 0) return;
      const due = [{ $set: { next_attempt_at: '$$NOW' } }];
      await model.updateMany({ _id: { $in: ids } }, due, { session, updatePipeline: true });
    },

    async find(id: string): Promise<NotificationRow | null> {
      return await model.findById(id).lean<NotificationRow>();
    },

    async findByProviderId(providerId: string): Promise<NotificationRow | null> {
      return await model.findOne({ provider_message_id: providerId }).lean<NotificationRow>();
    },

    async setRank(id: string, rank: number): Promise<void> {
      await model.updateOne({ _id: id, provider_rank: { $lt: rank } }, { $set: { provider_rank: rank } });
    },

    async ownedProviderIds(providerIds: string[]): Promise<Set<string>> {
      const rows = await model
        .find({ provider_message_id: { $in: providerIds } }, { provider_message_id: 1 })
        .lean<NotificationRow[]>();
      return new Set(rows.map((row) => row.provider_message_id ?? ''));
    },

    async countSent(userId: number, channel: Channel, since: Date): Promise<number> {
      return await model.countDocuments({ user_id: userId, channel, sent_at: { $gte: since } });
    },

    async deleteOfUser(userId: number): Promise<number> {
      const { deletedCount } = await model.deleteMany({ user_id: userId });
      return deletedCount;
    },
  };
}
