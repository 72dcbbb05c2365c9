import type { DeliveryStatus } from '@casewatch/contracts';
import { databaseTimeIn, hasPassed } from '@casewatch/platform';
import { type AttemptRow, anyTime, type DeliveryModel, type DeliveryRow } from './delivery-rows.ts';

export type ClaimedDelivery = Omit<DeliveryRow, 'attempts'>;

/** `dueInMs`: time until the next attempt; null if there is none. */
type Settled = { status: DeliveryStatus; dueInMs: number | null };

export function claimQueries(model: DeliveryModel) {
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
