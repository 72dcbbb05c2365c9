import type { WebhookEventType } from '@casewatch/contracts';
import type { Position } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import { type Connection, hasPassed } from '@casewatch/platform/database';
import { pending } from './deliveries.ts';
import { anyTime, type DeliveryModel, type DeliveryRow, deliveries } from './delivery-rows.ts';

/** Attempts that a delivery keeps when it is sent again: eleven more follow at most. */
const keptAttempts = 40;

/** The schedule of retries starts again. An attempt that runs now is not disturbed. */
const again = {
  status: 'pending',
  due_at: '$$NOW',
  claim: null,
  attempt_count: 0,
  manual: true,
  attempts: { $slice: ['$attempts', -keptAttempts] },
  reason: '$$REMOVE',
};
const isFree = { $or: [{ status: { $ne: 'sending' as const } }, hasPassed('due_at')] };

export type ReplayState = Pick<DeliveryRow, '_id' | 'status' | 'reason' | 'attempt_count'>;
export type FailedPlace = Pick<DeliveryRow, '_id' | 'created_at'>;

type FailedRange = {
  webhookId: number;
  types: readonly WebhookEventType[];
  since: Date;
  until: Date;
  after: Position;
  limit: number;
};

type NewRow = Pick<DeliveryRow, 'event_id' | 'event' | 'user_id'>;

export function createReplayStore(db: Connection) {
  const model = deliveries(db);
  return {
    ...readQueries(model),
    /** Null if an attempt is running. */
    async redeliver(session: Session, id: string): Promise<DeliveryRow | null> {
      return await model
        .findOneAndUpdate({ _id: id, ...isFree }, [{ $set: again }], {
          returnDocument: 'after',
          updatePipeline: true,
          session,
        })
        .lean();
    },
    /** A second call for the same replay changes nothing. */
    async queueAgain(replayId: number, ids: string[]) {
      if (ids.length === 0) return;
      const filter = { _id: { $in: ids }, replay_id: { $ne: replayId }, ...isFree };
      await model.updateMany(filter, [{ $set: { ...again, replay_id: replayId } }], { updatePipeline: true });
    },
    /** Deliveries of events that have none; intake may have inserted one meanwhile. */
    async insertMissing(replayId: number, webhookId: number, rows: NewRow[], at: Date) {
      const writes = rows.map((row) => {
        const { _id, ...delivery } = pending({ ...row, webhook_id: webhookId, created_at: at });
        const $setOnInsert = { ...delivery, manual: true, replay_id: replayId };
        return { updateOne: { filter: { _id }, update: { $setOnInsert }, upsert: true } };
      });
      if (writes.length > 0) await model.bulkWrite(writes, { ordered: false });
    },
  };
}

const failures = [
  { status: 'failed' },
  { status: 'pending' },
  { status: 'cancelled', reason: 'endpoint_gone' },
] as const;

function byPlace(one: FailedPlace, other: FailedPlace): number {
  const ms = one.created_at.getTime() - other.created_at.getTime();
  if (ms !== 0) return ms;
  return one._id < other._id ? -1 : 1;
}

function readQueries(model: DeliveryModel) {
  return {
    /** Deliveries that failed, also those that wait for a retry or were cancelled by a 410. The oldest first. */
    async failedAfter({ webhookId, types, since, until, after, limit }: FailedRange): Promise<FailedPlace[]> {
      const [id, time] = after;
      const range = {
        webhook_id: webhookId,
        created_at: { $gte: new Date(Math.max(since.getTime(), time)), $lt: until },
        event: { $in: [...types] },
        'attempts.0': { $exists: true },
        $or: [{ created_at: { $gt: new Date(time) } }, { _id: { $gt: String(id) } }],
      };
      // One question for each status: only then mongod takes the index `of_status`.
      const parts = await Promise.all(
        failures.map((failure) =>
          model
            .find({ ...range, ...failure })
            .sort({ created_at: 1, _id: 1 })
            .limit(limit)
            .select({ created_at: 1 })
            .lean<FailedPlace[]>(),
        ),
      );
      return parts.flat().sort(byPlace).slice(0, limit);
    },
    async statesOf(ids: string[]): Promise<ReplayState[]> {
      return await model
        .find({ _id: { $in: ids } })
        .select({ status: 1, reason: 1, attempt_count: 1 })
        .lean();
    },
    async countDue(webhookId: number, now: Date, limit: number): Promise<number> {
      return await model
        .countDocuments({ webhook_id: webhookId, due_at: { ...anyTime, $lte: now } })
        .limit(limit);
    },
    /** How many of these the replay has queued, in this run or before a crash. */
    async countQueued(replayId: number, ids: string[]): Promise<number> {
      return await model.countDocuments({ _id: { $in: ids }, replay_id: replayId });
    },
  };
}
