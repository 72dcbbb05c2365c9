import type { Channel } from '@casewatch/contracts';
import { type Connection, isDuplicateKey, type Session } from '@casewatch/platform';
import mongoose from 'mongoose';
import {
  type Expected,
  type NotificationChange,
  type NotificationRow,
  notificationSchema,
} from './notification-row.ts';

/** A row that a transaction holds is left alone for this long, ms; one whose client was killed holds it for a minute. */
const heldMs = 5_000;

/** How long a claim waits for a row that a transaction holds, ms. */
const claimWaitMs = 1_000;

/** MongoDB's code for an operation that took longer than its maxTimeMS. */
const maxTimeExpired = 50;

/** A claimed case stands in the way of its next message for this long at a time, ms. */
const blockedMs = 500;

/** The collection `notifications`, with its indexes; safe to call from many replicas. */
export async function createNotificationStore(db: Connection) {
  const model = db.model<NotificationRow>('notifications', notificationSchema);
  await model.createCollection();
  await model.createIndexes();

  const held = new Map<string, number>();

  /** Rows that were found held a moment ago. */
  function heldIds(nowMs: number): string[] {
    for (const [id, until] of held) if (until <= nowMs) held.delete(id);
    return [...held.keys()];
  }

  return {
    async insert(session: Session, rows: NotificationRow[]): Promise<void> {
      await model.insertMany(rows, { session });
    },

    async find(id: string): Promise<NotificationRow | null> {
      return await model.findById(id).lean<NotificationRow>();
    },

    async findByProviderId(providerId: string): Promise<NotificationRow | null> {
      return await model.findOne({ provider_message_id: providerId }).lean<NotificationRow>();
    },

    /** Claims the longest due row of a channel whose case has none in flight. It is still `pending`. */
    async claim(channel: Channel, now: Date, leaseMs: number): Promise<NotificationRow | null> {
      const due = (): mongoose.QueryFilter<NotificationRow> => ({
        _id: { $nin: heldIds(now.getTime()) },
        channel,
        status: 'pending',
        next_attempt_at: { $lte: now },
        $or: [{ lease_until: null }, { lease_until: { $lt: now } }],
      });
      for (;;) {
        const next = await model.findOne(due()).sort({ next_attempt_at: 1 }).lean<NotificationRow>();
        if (!next) return null;
        const same: Expected = { _id: next._id, status: 'pending', fence: next.fence };
        try {
          const claimed = await model
            .findOneAndUpdate(
              same,
              {
                $set: {
                  lease_until: new Date(now.getTime() + leaseMs),
                  in_flight: `${next.case_id}:${channel}`,
                },
                $inc: { fence: 1 },
              },
              { returnDocument: 'after', maxTimeMS: claimWaitMs },
            )
            .lean<NotificationRow>();
          if (claimed) return claimed;
        } catch (error) {
          if (isHeld(error)) {
            held.set(next._id, now.getTime() + heldMs);
            continue;
          }
          if (!isDuplicateKey(error, 'in_flight')) throw error;
          await model.updateOne(same, {
            $set: { next_attempt_at: new Date(now.getTime() + blockedMs) },
          });
        }
      }
    },

    /** Gives a claim back untouched; the row is due again at `nextAttemptAt`. */
    async release(row: NotificationRow, nextAttemptAt: Date): Promise<void> {
      await model.updateOne(
        { _id: row._id, status: 'pending', fence: row.fence },
        { $set: { next_attempt_at: nextAttemptAt, lease_until: null }, $unset: { in_flight: '' } },
      );
    },

    /** Counts the attempt, before the network call. Null: the claim was lost. */
    async begin(row: NotificationRow, now: Date, leaseMs: number): Promise<NotificationRow | null> {
      return await model
        .findOneAndUpdate(
          { _id: row._id, status: 'pending', fence: row.fence },
          {
            $set: {
              status: 'sending',
              lease_until: new Date(now.getTime() + leaseMs),
              attempt_started_at: now,
            },
            $inc: { attempts: 1 },
          },
          { returnDocument: 'after' },
        )
        .lean<NotificationRow>();
    },

    /** One announced change; ends the claim. Null: the row is not as expected any more. */
    async change(
      session: Session,
      expected: Expected,
      change: NotificationChange,
    ): Promise<NotificationRow | null> {
      return await model
        .findOneAndUpdate(
          expected,
          { $set: { ...change, lease_until: null }, $inc: { revision: 1 }, $unset: { in_flight: '' } },
          { session, returnDocument: 'after' },
        )
        .lean<NotificationRow>();
    },

    /** A callback that changes nothing that anybody else sees. */
    async raiseRank(id: string, rank: number): Promise<void> {
      await model.updateOne({ _id: id, provider_rank: { $lt: rank } }, { $set: { provider_rank: rank } });
    },

    /** Rows whose sender stopped in the middle of sending. */
    async interrupted(now: Date, limit: number): Promise<NotificationRow[]> {
      return await model
        .find({ status: 'sending', lease_until: { $lt: now } })
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

function isHeld(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === maxTimeExpired;
}

export type NotificationStore = Awaited<ReturnType<typeof createNotificationStore>>;
