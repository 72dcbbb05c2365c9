import type { Channel } from '@casewatch/contracts';
import { type Connection, databaseTimeIn, hasCome, type Session } from '@casewatch/platform';
import { createClaim } from './claim-notification.ts';
import {
  type Expected,
  type NewNotification,
  type NotificationChange,
  type NotificationRow,
  notificationModel,
} from './notification-model.ts';

export function createNotificationStore(db: Connection) {
  const model = notificationModel(db);
  return {
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

    claim: createClaim(model),

    /** Ends a claim without an attempt. */
    async release(row: NotificationRow, dueInMs: number): Promise<void> {
      await model.updateOne(
        { _id: row._id, status: 'pending', fence: row.fence },
        [{ $set: { next_attempt_at: databaseTimeIn(dueInMs), lease_until: null } }, { $unset: 'in_flight' }],
        { updatePipeline: true },
      );
    },

    /** Counts the attempt before the submission. Null if the claim was lost. */
    async begin(row: NotificationRow, leaseMs: number): Promise<NotificationRow | null> {
      return await model
        .findOneAndUpdate(
          { _id: row._id, status: 'pending', fence: row.fence },
          [
            {
              $set: {
                status: 'sending',
                lease_until: databaseTimeIn(leaseMs),
                attempt_started_at: '$$NOW',
                attempts: { $add: ['$attempts', 1] },
              },
            },
          ],
          { returnDocument: 'after', updatePipeline: true },
        )
        .lean<NotificationRow>();
    },

    /** Ends the claim. Null if the row is not as expected. */
    async change(
      session: Session,
      expected: Expected,
      { dueInMs, ...fields }: NotificationChange,
    ): Promise<NotificationRow | null> {
      const times = {
        next_attempt_at: dueInMs === null ? null : databaseTimeIn(dueInMs),
        lease_until: null,
        revision: { $add: ['$revision', 1] },
      };
      return await model
        .findOneAndUpdate(
          expected,
          // $literal: a provider's text may begin with `$`.
          [
            { $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: fields }, times] } },
            { $unset: 'in_flight' },
          ],
          { session, returnDocument: 'after', updatePipeline: true },
        )
        .lean<NotificationRow>();
    },

    async setRank(id: string, rank: number): Promise<void> {
      await model.updateOne({ _id: id, provider_rank: { $lt: rank } }, { $set: { provider_rank: rank } });
    },

    /** Rows whose sender died while sending. */
    async interrupted(limit: number): Promise<NotificationRow[]> {
      return await model
        .find({ status: 'sending', ...hasCome('lease_until') })
        .limit(limit)
        .lean<NotificationRow[]>();
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
