import type { DeliveryStatus, WebhookEventType } from '@casewatch/contracts';
import type { Position } from '@casewatch/platform';
import type { DeliveryModel, DeliveryRow } from './delivery-rows.ts';

type DeliveryFilter = {
  webhookId: number;
  status?: DeliveryStatus | undefined;
  event?: WebhookEventType | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
};

export function listQueries(model: DeliveryModel) {
  return {
    async page(filter: DeliveryFilter, limit: number, after: Position | null): Promise<DeliveryRow[]> {
      return await model
        .find({ ...conditions(filter), ...(after && rowsAfter(after)) })
        .sort({ created_at: -1, _id: -1 })
        .limit(limit)
        .select({ 'attempts.response': 0 })
        .lean();
    },
    /** Newest first, by the index of the user. */
    async ofEvents(userId: number, eventIds: readonly string[], limit: number): Promise<DeliveryRow[]> {
      return await model
        .find({ user_id: userId, event_id: { $in: [...eventIds] } })
        .sort({ created_at: -1, _id: -1 })
        .limit(limit)
        .select({ 'attempts.response': 0 })
        .lean();
    },
    async findOf(webhookId: number, id: string): Promise<DeliveryRow | null> {
      return await model.findOne({ _id: id, webhook_id: webhookId }).lean();
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
