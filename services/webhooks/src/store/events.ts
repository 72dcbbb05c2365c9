import type { WebhookEventType } from '@casewatch/contracts';
import { type Connection, collection, type Session } from '@casewatch/platform';

export type EventRow = {
  _id: string;
  partner_id: number;
  user_id: number | null;
  type: WebhookEventType;
  /** The bytes that each attempt sends. */
  body: string;
  /** Common key of bus events that are one event for partners. */
  dedupe_key?: string;
  traceparent: string;
  /** On the database's clock; the order of events. */
  intake_at: Date;
};

const keepSeconds = 30 * 24 * 60 * 60;

export const events = collection<EventRow>('events', String, [
  { name: 'expiry', keys: { intake_at: 1 }, expireAfterSeconds: keepSeconds },
  { name: 'of_partner', keys: { partner_id: 1, intake_at: 1, _id: 1 } },
  { name: 'of_user', keys: { user_id: 1 }, partialFilterExpression: { user_id: { $gt: 0 } } },
  {
    name: 'dedupe_key',
    keys: { dedupe_key: 1 },
    unique: true,
    partialFilterExpression: { dedupe_key: { $gt: '' } },
  },
]);

/** Events that are kept when their user is erased (webhooks.md, Delivery). */
export const deletions: readonly WebhookEventType[] = ['case.deleted', 'user.deleted'];

export function createEventStore(db: Connection) {
  const model = events(db);
  return {
    async exists(id: string): Promise<boolean> {
      return (await model.exists({ _id: id })) !== null;
    },
    async find(id: string): Promise<EventRow | null> {
      return await model.findById(id).lean();
    },
    /** Returns the time on the database's clock, or null if the event is stored already. */
    async insert(session: Session, row: Omit<EventRow, 'intake_at'>): Promise<Date | null> {
      const isMissing = { $eq: [{ $type: '$body' }, 'missing'] };
      // $literal: a text may begin with `$`.
      const inserted = { $mergeObjects: [{ $literal: row }, { intake_at: '$$NOW' }] };
      const { value, lastErrorObject } = await model.findOneAndUpdate(
        { _id: row._id },
        [{ $replaceWith: { $cond: [isMissing, inserted, '$$ROOT'] } }],
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
    async eraseUser(userId: number) {
      await model.deleteMany({ user_id: userId, type: { $nin: [...deletions] } });
    },
  };
}
