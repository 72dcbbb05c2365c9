import type { WebhookEventType } from '@casewatch/contracts';
import type { Connection, Session } from '@casewatch/platform';
import mongoose from 'mongoose';

/** One event of a partner, matched by an endpoint or not. `body` is what every attempt sends, byte for byte. */
export type EventRow = {
  /** `evt_` and the id of the bus's event: the receiver's dedupe key. */
  _id: string;
  partner_id: number;
  user_id: number | null;
  type: WebhookEventType;
  body: string;
  /** Where several events of the bus tell the same thing, what they have in common. */
  dedupe_key?: string;
  traceparent: string;
  /** When it was taken in, by the database's clock: the order of events. */
  intake_at: Date;
};

const keepSeconds = 30 * 24 * 60 * 60;

const schema = new mongoose.Schema<EventRow>(
  {
    _id: String,
    partner_id: Number,
    user_id: Number,
    type: String,
    body: String,
    dedupe_key: String,
    traceparent: String,
    intake_at: Date,
  },
  { versionKey: false, id: false, collection: 'events' },
);
schema.index({ intake_at: 1 }, { name: 'expiry', expireAfterSeconds: keepSeconds });
schema.index({ partner_id: 1, intake_at: 1, _id: 1 }, { name: 'of_partner' });
schema.index({ user_id: 1 }, { name: 'of_user', partialFilterExpression: { user_id: { $gt: 0 } } });
schema.index(
  { dedupe_key: 1 },
  { name: 'dedupe_key', unique: true, partialFilterExpression: { dedupe_key: { $gt: '' } } },
);

/** What outlives its user: who was erased is told so (webhooks.md, Delivery). */
export const deletions: readonly WebhookEventType[] = ['case.deleted', 'user.deleted'];

export function createEventStore(db: Connection) {
  const model = db.model<EventRow>('events', schema);
  return {
    async exists(id: string): Promise<boolean> {
      return (await model.exists({ _id: id })) !== null;
    },
    async find(id: string): Promise<EventRow | null> {
      return await model.findById(id).lean();
    },
    /**
     * Stores an event once. The values are literals: a text that begins with `$` is no field's name.
     * @returns when, by the database's clock; null where it was there already
     */
    async insert(session: Session, row: Omit<EventRow, 'intake_at'>): Promise<Date | null> {
      const { value, lastErrorObject } = await model.findOneAndUpdate(
        { _id: row._id },
        [
          {
            $replaceWith: {
              $cond: [
                { $eq: [{ $type: '$body' }, 'missing'] },
                { $mergeObjects: [{ $literal: row }, { intake_at: '$$NOW' }] },
                '$$ROOT',
              ],
            },
          },
        ],
        {
          upsert: true,
          session,
          updatePipeline: true,
          returnDocument: 'after',
          projection: { intake_at: 1 },
          includeResultMetadata: true,
        },
      );
      return lastErrorObject?.updatedExisting ? null : (value?.intake_at ?? null);
    },
    /** Drops what is held about a user, but the news that they and their cases are gone. */
    async eraseUser(userId: number) {
      await model.deleteMany({ user_id: userId, type: { $nin: [...deletions] } });
    },
  };
}
