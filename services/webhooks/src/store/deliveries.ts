import type { DeliveryStatus, WebhookEventType } from '@casewatch/contracts';
import { type Connection, databaseTimeIn, hasPassed, type Position, type Session } from '@casewatch/platform';
import { type AttemptRow, type DeliveryRow, deliverySchema } from './delivery-schema.ts';
import { deletions } from './events.ts';

export type NewDelivery = Pick<DeliveryRow, 'event_id' | 'event' | 'webhook_id' | 'user_id'>;

/** What an attempt needs of its delivery: not the attempts before it. */
export type ClaimedDelivery = Omit<DeliveryRow, 'attempts'>;

export type DeliveryFilter = {
  webhookId: number;
  status?: DeliveryStatus | undefined;
  event?: WebhookEventType | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
};

/** `dueInMs`: when the next attempt is due, from now; null: never. */
type Settled = { status: DeliveryStatus; dueInMs: number | null };

/** Begun work has a due time after this; the index `due` holds nothing else. */
const ever = { $gt: new Date(0) };

export function createDeliveryStore(db: Connection) {
  const model = db.model<DeliveryRow>('deliveries', deliverySchema);
  return {
    /** Made with their event, in its transaction; due at once. */
    async insert(session: Session, rows: NewDelivery[], at: Date): Promise<string[]> {
      if (rows.length === 0) return [];
      const fresh = { status: 'pending' as const, attempts: [], attempt_count: 0, claim: null };
      const full = rows.map((row) => ({
        _id: `${row.event_id}:${row.webhook_id}`,
        ...row,
        ...fresh,
        due_at: at,
        created_at: at,
      }));
      await model.insertMany(full, { session });
      return full.map((row) => row._id);
    },
    /**
     * Endpoints that have something due: one key of the index `due` each, however much is waiting. `now`: the database's
     * time.
     */
    async webhooksWithDue(now: Date): Promise<number[]> {
      return await model.distinct('webhook_id', {
        webhook_id: { $gt: 0 },
        due_at: { ...ever, $lte: now },
      });
    },
    /** The longest due of one endpoint. */
    async dueOf(webhookId: number, now: Date, limit: number): Promise<string[]> {
      const rows = await model
        .find({ webhook_id: webhookId, due_at: { ...ever, $lte: now } })
        .sort({ due_at: 1 })
        .limit(limit)
        .select({ _id: 1 })
        .lean();
      return rows.map((row) => row._id);
    },
    /**
     * Takes a due delivery for one attempt and counts it. For `leaseMs` no other replica gets it.
     * @returns null where it is not due any more
     */
    async claim(id: string, claim: string, leaseMs: number): Promise<ClaimedDelivery | null> {
      const claimed = {
        status: 'sending',
        claim: { $literal: claim },
        due_at: databaseTimeIn(leaseMs),
        attempt_count: { $add: ['$attempt_count', 1] },
      };
      return await model
        .findOneAndUpdate({ _id: id, ...hasPassed('due_at') }, [{ $set: claimed }], {
          returnDocument: 'after',
          projection: { attempts: 0 },
          updatePipeline: true,
        })
        .lean();
    },
    /** Makes a claim last longer; false where it was lost (somebody else has it, the event was cancelled). */
    async renew(id: string, claim: string, leaseMs: number): Promise<boolean> {
      const renewed = [{ $set: { due_at: databaseTimeIn(leaseMs) } }];
      const { matchedCount } = await model.updateOne({ _id: id, claim }, renewed, { updatePipeline: true });
      return matchedCount === 1;
    },
    /** Ends a claim; false where it was lost (the lease ran out, the event was cancelled). */
    async settle(id: string, claim: string, { status, dueInMs }: Settled, attempt: AttemptRow | null) {
      const settled = {
        status,
        due_at: dueInMs === null ? null : databaseTimeIn(dueInMs),
        claim: null,
        // A literal: an endpoint's answer that begins with `$` is no field's name.
        ...(attempt && { attempts: { $concatArrays: ['$attempts', [{ $literal: attempt }]] } }),
      };
      const { matchedCount } = await model.updateOne({ _id: id, claim }, [{ $set: settled }], {
        updatePipeline: true,
      });
      return matchedCount === 1;
    },
    async cancelOf(webhookId: number) {
      await model.updateMany(
        { webhook_id: webhookId, due_at: ever },
        { $set: { status: 'cancelled', due_at: null, claim: null } },
      );
    },
    /** Stops what is still to be sent about a user, and forgets what endpoints answered to the rest. */
    async eraseUser(userId: number) {
      const about = { user_id: userId, event: { $nin: [...deletions] } };
      await model.updateMany(
        { ...about, due_at: ever },
        { $set: { status: 'cancelled', due_at: null, claim: null } },
      );
      await model.updateMany(about, { $set: { 'attempts.$[].response': null } });
    },
    /** Newest first. */
    async page(filter: DeliveryFilter, limit: number, after: Position | null): Promise<DeliveryRow[]> {
      return await model
        .find({ ...conditions(filter), ...(after && olderThan(after)) })
        .sort({ created_at: -1, _id: -1 })
        .limit(limit)
        .select({ 'attempts.response': 0, 'attempts.location': 0 })
        .lean();
    },
    /**
     * Share of the deliveries since `since` that arrived, of those tried, 0 to 1; null where none was. Judged by the
     * newest 10,000, so that the busiest endpoint is read as fast as any.
     */
    async successRate(webhookId: number, since: Date): Promise<number | null> {
      const [counts] = await model.aggregate<{ tried: number; delivered: number }>([
        { $match: { webhook_id: webhookId, created_at: { $gte: since } } },
        { $sort: { created_at: -1 } },
        { $limit: 10_000 },
        { $match: { 'attempts.0': { $exists: true } } },
        {
          $group: {
            _id: null,
            tried: { $sum: 1 },
            delivered: { $sum: { $cond: [{ $eq: ['$status', 'delivered'] }, 1, 0] } },
          },
        },
      ]);
      return counts ? counts.delivered / counts.tried : null;
    },
  };
}

/** What comes after a position: the id of the last delivery shown, and when it was created, ms. */
function olderThan([id, createdAt]: Position) {
  const created_at = new Date(createdAt);
  return { $or: [{ created_at: { $lt: created_at } }, { created_at, _id: { $lt: String(id) } }] };
}

function conditions({ webhookId, status, event, since, until }: DeliveryFilter) {
  const created = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
  return {
    webhook_id: webhookId,
    ...(status && { status }),
    ...(event && { event }),
    ...((since || until) && { created_at: created }),
  };
}
