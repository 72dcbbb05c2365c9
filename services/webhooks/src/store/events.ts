import type { WebhookEventType } from '@casewatch/contracts';
import { RetryLaterError } from '@casewatch/platform';
import { type Connection, collection, findRows, type Session } from '@casewatch/platform/database';
import { insertNew } from './insert-new.ts';

export type EventRow = {
  _id: string;
  partner_id: number;
  user_id: number | null;
  type: WebhookEventType;
  /** The bytes that each attempt sends. */
  body: string;
  /** Endpoints that were subscribed at intake. */
  endpoints: number[];
  /** Common key of bus events that are one event for partners. */
  dedupe_key?: string;
  traceparent: string;
  /** On the database's clock; the order of events. */
  intake_at: Date;
};

/** Longest insert, ms: `GET /v1/events` shows an event 7 s after its time of intake. */
const insertMs = 3_000;

const keepSeconds = 30 * 24 * 60 * 60;

export const events = collection<EventRow>('events', String, [
  { name: 'expiry', keys: { intake_at: 1 }, expireAfterSeconds: keepSeconds },
  // With the type: events are counted by the index alone.
  { name: 'of_partner_by_time', keys: { partner_id: 1, intake_at: 1, _id: 1, type: 1 } },
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

  async function findAll(ids: readonly string[]): Promise<Map<string, EventRow>> {
    const rows = await findRows(model, { _id: { $in: [...ids] } });
    return new Map(rows.map((row) => [row._id, row]));
  }

  return {
    /** @returns for each row the stored one; null if another event has its `dedupe_key` */
    async insertAll(rows: readonly EventRow[]): Promise<(EventRow | null | RetryLaterError)[]> {
      const duplicates = await insertNew(model, rows, insertMs);
      if (duplicates.size === 0) return [...rows];
      const stored = await findAll(rows.filter((_, i) => duplicates.has(i)).map(({ _id }) => _id));
      return rows.map((row, i) => {
        if (!duplicates.has(i)) return row;
        const found = stored.get(row._id);
        if (found) return found;
        if (duplicates.get(i) === 'dedupe_key') return null;
        return new RetryLaterError('the stored event is not committed yet');
      });
    },
    /** For events whose insert took so long that a reader of events may have passed them. */
    async takeInNow(ids: readonly string[]) {
      await model.updateMany({ _id: { $in: ids } }, [{ $set: { intake_at: '$$NOW' } }], {
        updatePipeline: true,
      });
    },
    findAll,
    async ofUser(userId: number): Promise<EventRow[]> {
      return await model.find({ user_id: userId }).lean<EventRow[]>();
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
    async someOfPartner(partnerId: number, limit: number): Promise<Pick<EventRow, '_id' | 'endpoints'>[]> {
      return await model.find({ partner_id: partnerId }, { endpoints: 1 }).limit(limit).lean();
    },
    async removeAll(ids: readonly string[]): Promise<void> {
      await model.deleteMany({ _id: { $in: [...ids] } });
    },
    async haveUsers(userIds: readonly number[]): Promise<boolean> {
      return (await model.exists(ofUsers(userIds))) !== null;
    },
    async eraseUsers(userIds: readonly number[]) {
      await model.deleteMany(ofUsers(userIds));
    },
  };
}

function ofUsers(userIds: readonly number[]) {
  return { user_id: { $in: [...userIds] }, type: { $nin: [...deletions] } };
}
