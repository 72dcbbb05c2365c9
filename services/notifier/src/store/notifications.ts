import type { Channel } from '@casewatch/contracts';
import { type Connection, databaseTimeIn, hasPassed, type Session } from '@casewatch/platform';
import { createClaim } from './claim-notification.ts';
import {
  type Expected,
  type NewNotification,
  type NotificationChange,
  type NotificationRow,
  notificationModel,
} from './notification-row.ts';

/** The collection `notifications`: its named queries. */
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

    /** Claims the longest due row of a channel whose case has none in flight. It is still `pending`. */
    claim: createClaim(model),

    /** Gives a claim back untouched; the row is due again in `dueInMs`. */
    async release(row: NotificationRow, dueInMs: number): Promise<void> {
      await model.updateOne(
        { _id: row._id, status: 'pending', fence: row.fence },
        [{ $set: { next_attempt_at: databaseTimeIn(dueInMs), lease_until: null } }, { $unset: 'in_flight' }],
        { updatePipeline: true },
      );
    },

    /** Counts the attempt, before the network call. Null: the claim was lost. */
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

    /** One announced change; ends the claim. Null: the row is not as expected any more. */
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
          // Literals: a provider's words that begin with `$` are no field's name.
          [
            { $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: fields }, times] } },
            { $unset: 'in_flight' },
          ],
          { session, returnDocument: 'after', updatePipeline: true },
        )
        .lean<NotificationRow>();
    },

    /** A callback that changes nothing that anybody else sees. */
    async raiseRank(id: string, rank: number): Promise<void> {
      await model.updateOne({ _id: id, provider_rank: { $lt: rank } }, { $set: { provider_rank: rank } });
    },

    /** Rows whose sender stopped in the middle of sending. */
    async interrupted(limit: number): Promise<NotificationRow[]> {
      return await model
        .find({ status: 'sending', ...hasPassed('lease_until') })
        .limit(limit)
        .lean<NotificationRow[]>();
    },

    /** Which of these provider ids belong to a notification already. */
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
