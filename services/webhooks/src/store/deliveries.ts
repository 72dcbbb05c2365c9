import type { Connection, Session } from '@casewatch/platform/database';
import { claimQueries } from './delivery-claims.ts';
import { listQueries } from './delivery-lists.ts';
import { anyTime, type CancelReason, type DeliveryRow, deliveries } from './delivery-rows.ts';
import { deletions } from './events.ts';
import { insertNew } from './insert-new.ts';

export type NewDelivery = Pick<DeliveryRow, 'event_id' | 'event' | 'webhook_id' | 'user_id' | 'created_at'>;

export function deliveryIdOf(eventId: string, webhookId: number): string {
  return `${eventId}:${webhookId}`;
}

export function createDeliveryStore(db: Connection) {
  const model = deliveries(db);
  return {
    ...claimQueries(model),
    ...listQueries(model),
    async insert(session: Session, rows: readonly NewDelivery[]): Promise<string[]> {
      const complete = rows.map(pending);
      if (complete.length > 0) await model.insertMany(complete, { session });
      return complete.map((row) => row._id);
    },
    /** Inserts the rows that are not stored yet. Returns the ids of the others. */
    async insertAll(rows: readonly DeliveryRow[]): Promise<Set<string>> {
      const duplicates = await insertNew(model, rows);
      return new Set(rows.filter((_, i) => duplicates.has(i)).map(({ _id }) => _id));
    },
    async findAll(ids: readonly string[]): Promise<DeliveryRow[]> {
      return await model.find({ _id: { $in: [...ids] } }).lean<DeliveryRow[]>();
    },
    async cancelOf(webhookId: number) {
      await model.updateMany(
        { webhook_id: webhookId, due_at: anyTime },
        { $set: cancelled('endpoint_deleted') },
      );
    },
    async removeAll(ids: readonly string[]): Promise<void> {
      await model.deleteMany({ _id: { $in: [...ids] } });
    },
    /** Deletes up to `limit` of an endpoint. Returns how many. */
    async removeSome(webhookId: number, limit: number): Promise<number> {
      const some = await model.find({ webhook_id: webhookId }, { _id: 1 }).limit(limit).lean();
      if (some.length === 0) return 0;
      return (await model.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } })).deletedCount;
    },
    /** Makes due what a 410 has cancelled: the endpoint is active again. */
    async resumeGone(session: Session, webhookId: number) {
      const gone = { webhook_id: webhookId, status: 'cancelled' as const, reason: 'endpoint_gone' as const };
      const due = [{ $set: { status: 'pending', due_at: '$$NOW', reason: '$$REMOVE' } }];
      await model.updateMany(gone, due, { session, updatePipeline: true });
    },
    /** Cancels the users' deliveries and deletes the responses of endpoints. */
    async eraseUsers(userIds: readonly number[]) {
      const ofUsers = { user_id: { $in: userIds }, event: { $nin: [...deletions] } };
      await model.updateMany({ ...ofUsers, due_at: anyTime }, { $set: cancelled('user_deleted') });
      await model.updateMany(ofUsers, { $set: { 'attempts.$[].response': null } });
    },
  };
}

function cancelled(reason: CancelReason) {
  return { status: 'cancelled' as const, reason, due_at: null, claim: null };
}

export function pending(row: NewDelivery): DeliveryRow {
  return {
    _id: deliveryIdOf(row.event_id, row.webhook_id),
    ...row,
    status: 'pending',
    attempts: [],
    attempt_count: 0,
    due_at: row.created_at,
    claim: null,
  };
}

export function claimed(row: NewDelivery, claim: string, claimEnd: Date): DeliveryRow {
  return { ...pending(row), status: 'sending', attempt_count: 1, claim, due_at: claimEnd };
}
