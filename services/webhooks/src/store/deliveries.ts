import type { Connection, Session } from '@casewatch/platform';
import { claimQueries } from './delivery-claims.ts';
import { listQueries } from './delivery-lists.ts';
import { anyTime, type DeliveryRow, deliveries } from './delivery-rows.ts';
import { deletions } from './events.ts';

type NewDelivery = Pick<DeliveryRow, 'event_id' | 'event' | 'webhook_id' | 'user_id'>;

export function createDeliveryStore(db: Connection) {
  const model = deliveries(db);
  return {
    ...claimQueries(model),
    ...listQueries(model),
    async insert(session: Session, rows: NewDelivery[], at: Date): Promise<string[]> {
      if (rows.length === 0) return [];
      const initial = { status: 'pending' as const, attempts: [], attempt_count: 0, claim: null };
      const complete = rows.map((row) => ({
        _id: `${row.event_id}:${row.webhook_id}`,
        ...row,
        ...initial,
        due_at: at,
        created_at: at,
      }));
      await model.insertMany(complete, { session });
      return complete.map((row) => row._id);
    },
    async cancelOf(webhookId: number) {
      await model.updateMany(
        { webhook_id: webhookId, due_at: anyTime },
        { $set: { status: 'cancelled', due_at: null, claim: null } },
      );
    },
    /** Cancels the user's deliveries and deletes the responses of endpoints. */
    async eraseUser(userId: number) {
      const ofUser = { user_id: userId, event: { $nin: [...deletions] } };
      await model.updateMany(
        { ...ofUser, due_at: anyTime },
        { $set: { status: 'cancelled', due_at: null, claim: null } },
      );
      await model.updateMany(ofUser, { $set: { 'attempts.$[].response': null } });
    },
  };
}
