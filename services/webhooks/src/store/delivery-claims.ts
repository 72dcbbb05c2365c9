import type { DeliveryStatus } from '@casewatch/contracts';
import { databaseTimeIn, findRows, hasPassed, type Session, updateRows } from '@casewatch/platform/database';
import {
  type AttemptRow,
  anyTime,
  type CancelReason,
  type DeliveryModel,
  type DeliveryRow,
} from './delivery-rows.ts';

/** A delivery that this process works on, with what an attempt sends. */
export type ClaimedDelivery = Pick<
  DeliveryRow,
  '_id' | 'webhook_id' | 'user_id' | 'attempt_count' | 'manual'
> & {
  claim: string;
  /** `performance.now()` before the claim. */
  claimedAt: number;
  /** Null if the event was erased. */
  event: { _id: string; body: string; traceparent: string } | null;
};

/** `dueInMs`: time until the next attempt; null if there is none. `reason`: of a cancellation. */
type Next = { status: DeliveryStatus; dueInMs: number | null; reason?: CancelReason };

export type Settled = Next & { _id: string; claim: string; attempt: AttemptRow | null };

type Held = { _id: string; claim: string };
export type DueRow = Pick<DeliveryRow, '_id'> & { due_at: Date };
type ClaimedRow = Omit<ClaimedDelivery, 'claim' | 'claimedAt' | 'event'> & Pick<DeliveryRow, 'event_id'>;

export function claimQueries(model: DeliveryModel) {
  return {
    ...dueQueries(model),
    /** Claims those of the deliveries that are due, and counts their attempts. */
    async claimAll(ids: readonly string[], claim: string, leaseMs: number): Promise<ClaimedRow[]> {
      const change = {
        status: 'sending',
        claim: { $literal: claim },
        due_at: databaseTimeIn(leaseMs),
        attempt_count: { $add: ['$attempt_count', 1] },
      };
      const due = { _id: { $in: [...ids] }, ...hasPassed('due_at') };
      const { modifiedCount } = await model.updateMany(due, [{ $set: change }], { updatePipeline: true });
      if (modifiedCount === 0) return [];
      const projection = { webhook_id: 1, user_id: 1, attempt_count: 1, event_id: 1, manual: 1 };
      return await findRows<DeliveryRow, ClaimedRow>(
        model,
        { _id: { $in: [...ids] }, claim },
        { projection },
      );
    },
    /** Renews claims. Returns the ids whose claims were lost. */
    async renewAll(held: readonly Held[], leaseMs: number): Promise<string[]> {
      const ours = matching(held);
      const renewed = [{ $set: { due_at: databaseTimeIn(leaseMs) } }];
      const { matchedCount } = await model.updateMany(ours, renewed, { updatePipeline: true });
      if (matchedCount === held.length) return [];
      const rows = await model.find(ours).select({ _id: 1 }).lean();
      const kept = new Set(rows.map(({ _id }) => _id));
      return held.map(({ _id }) => _id).filter((id) => !kept.has(id));
    },
    /** Ends claims whose attempts were not made: the deliveries are due again. */
    async giveBack(held: readonly Held[]): Promise<void> {
      const unsent = {
        status: 'pending',
        claim: null,
        due_at: '$$NOW',
        attempt_count: { $subtract: ['$attempt_count', 1] },
      };
      if (held.length > 0)
        await model.updateMany(matching(held), [{ $set: unsent }], { updatePipeline: true });
    },
    /** Ends claims. Returns how many of them were not lost. */
    async settleAll(results: readonly Settled[], session?: Session): Promise<number> {
      const update = { filter: matching(results), update: settlement(results) };
      return (await updateRows(model, [{ updateMany: update }], session && { session })).modifiedCount;
    },
  };
}

function dueQueries(model: DeliveryModel) {
  return {
    /** Endpoints with deliveries that become due after `from`; reads one index key per endpoint. */
    async webhooksWithDue(from: Date, until: Date): Promise<number[]> {
      return await model.distinct('webhook_id', {
        webhook_id: { $gt: 0 },
        due_at: { $gt: from, $lte: until },
      });
    },
    async dueOf(
      webhookId: number,
      { from, now }: { from: Date; now: Date },
      limit: number,
    ): Promise<DueRow[]> {
      const rows = await model
        .find({ webhook_id: webhookId, due_at: { $gte: from, ...anyTime, $lte: now } })
        .sort({ due_at: 1 })
        .limit(limit)
        .select({ _id: 1, due_at: 1 })
        .lean();
      return rows as DueRow[];
    },
  };
}

/** Claims are unique, so the two lists match only the pairs. */
function matching(held: readonly Held[]) {
  const claims = [...new Set(held.map(({ claim }) => claim))];
  return { _id: { $in: held.map(({ _id }) => _id) }, claim: { $in: claims } };
}

/** One update for all results: for mongod it costs less than half of an update for each. A row without a result stays as it is. */
function settlement(results: readonly Settled[]) {
  const keys = results.map(({ _id, claim }) => `${_id} ${claim}`);
  // $literal: a response may begin with `$`.
  const changes = results.map(({ status, dueInMs, reason, attempt }) => {
    return { status, dueInMs, attempts: attempt ? [attempt] : [], more: reason ? { reason } : {} };
  });
  const position = { $indexOfArray: [{ $literal: keys }, { $concat: ['$_id', ' ', '$claim'] }] };
  const settled = {
    status: '$$change.status',
    claim: null,
    due_at: { $cond: [{ $eq: ['$$change.dueInMs', null] }, null, { $add: ['$$NOW', '$$change.dueInMs'] }] },
    attempts: { $concatArrays: ['$attempts', '$$change.attempts'] },
  };
  const change = { $arrayElemAt: [{ $literal: changes }, '$$position'] };
  const merged = { $let: { vars: { change }, in: { $mergeObjects: ['$$ROOT', settled, '$$change.more'] } } };
  const row = { $cond: [{ $gte: ['$$position', 0] }, merged, '$$ROOT'] };
  return [{ $replaceWith: { $let: { vars: { position }, in: row } } }];
}
