import type { DeliveryStatus, WebhookEventType } from '@casewatch/contracts';
import {
  type Connection,
  collection,
  databaseTimeIn,
  hasPassed,
  type Position,
  type Session,
} from '@casewatch/platform';
import { deletions } from './events.ts';

type AttemptRow = {
  at: Date;
  status: number | null;
  ms: number;
  error: string | null;
  manual: boolean;
  location: string | null;
  response: string | null;
};

export type DeliveryRow = {
  /** `<event id>:<webhook id>` */
  _id: string;
  event_id: string;
  event: WebhookEventType;
  webhook_id: number;
  user_id: number | null;
  status: DeliveryStatus;
  attempts: AttemptRow[];
  /** Counted before the call, so that an attempt that kills the process counts. */
  attempt_count: number;
  /** `pending`: next attempt; `sending`: end of the claim; else null. On the database's clock. */
  due_at: Date | null;
  claim: string | null;
  created_at: Date;
};

const keepSeconds = 30 * 24 * 60 * 60;

const deliveries = collection<DeliveryRow>('deliveries', String, [
  {
    name: 'due',
    keys: { webhook_id: 1, due_at: 1 },
    partialFilterExpression: { due_at: { $gt: new Date(0) } },
  },
  { name: 'of_webhook', keys: { webhook_id: 1, created_at: -1, _id: -1 } },
  { name: 'of_user', keys: { user_id: 1 }, partialFilterExpression: { user_id: { $gt: 0 } } },
  { name: 'expiry', keys: { created_at: 1 }, expireAfterSeconds: keepSeconds },
]);

type NewDelivery = Pick<DeliveryRow, 'event_id' | 'event' | 'webhook_id' | 'user_id'>;

export type ClaimedDelivery = Omit<DeliveryRow, 'attempts'>;

type DeliveryFilter = {
  webhookId: number;
  status?: DeliveryStatus | undefined;
  event?: WebhookEventType | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
};

/** `dueInMs`: time until the next attempt; null if there is none. */
type Settled = { status: DeliveryStatus; dueInMs: number | null };

/** Matches the rows of the index `due`. */
const anyTime = { $gt: new Date(0) };

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

type DeliveryModel = ReturnType<typeof deliveries>;

function claimQueries(model: DeliveryModel) {
  return {
    /** Endpoints with due deliveries; reads one index key per endpoint. `now`: the database's time. */
    async webhooksWithDue(now: Date): Promise<number[]> {
      return await model.distinct('webhook_id', {
        webhook_id: { $gt: 0 },
        due_at: { ...anyTime, $lte: now },
      });
    },
    async dueOf(webhookId: number, now: Date, limit: number): Promise<string[]> {
      const rows = await model
        .find({ webhook_id: webhookId, due_at: { ...anyTime, $lte: now } })
        .sort({ due_at: 1 })
        .limit(limit)
        .select({ _id: 1 })
        .lean();
      return rows.map((row) => row._id);
    },
    /** Claims a delivery and counts the attempt. Null if it is not due. */
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
    /** False if the claim was lost. */
    async renew(id: string, claim: string, leaseMs: number): Promise<boolean> {
      const renewed = [{ $set: { due_at: databaseTimeIn(leaseMs) } }];
      const { matchedCount } = await model.updateOne({ _id: id, claim }, renewed, { updatePipeline: true });
      return matchedCount === 1;
    },
    /** Ends a claim. False if the claim was lost. */
    async recordResult(id: string, claim: string, { status, dueInMs }: Settled, attempt: AttemptRow | null) {
      const result = {
        status,
        due_at: dueInMs === null ? null : databaseTimeIn(dueInMs),
        claim: null,
        // $literal: a response may begin with `$`.
        ...(attempt && { attempts: { $concatArrays: ['$attempts', [{ $literal: attempt }]] } }),
      };
      const { matchedCount } = await model.updateOne({ _id: id, claim }, [{ $set: result }], {
        updatePipeline: true,
      });
      return matchedCount === 1;
    },
  };
}

function listQueries(model: DeliveryModel) {
  return {
    async page(filter: DeliveryFilter, limit: number, after: Position | null): Promise<DeliveryRow[]> {
      return await model
        .find({ ...conditions(filter), ...(after && rowsAfter(after)) })
        .sort({ created_at: -1, _id: -1 })
        .limit(limit)
        .select({ 'attempts.response': 0, 'attempts.location': 0 })
        .lean();
    },
    /** Delivered share of the newest 10,000 deliveries with an attempt, 0 to 1; null without any. */
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

function rowsAfter([id, createdAt]: Position) {
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
