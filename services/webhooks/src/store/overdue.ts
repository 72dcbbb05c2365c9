import type { Connection } from '@casewatch/platform/database';
import { anyTime, deliveries } from './delivery-rows.ts';

/** Failures that open the circuit of an endpoint; its deliveries wait on purpose. */
type Options = { circuitOpensAt: number };

export function createOverdueStore(db: Connection) {
  const model = deliveries(db);
  return {
    /** Age of the oldest due delivery of an endpoint that may get it now, ms. Reads one index key per endpoint (DISTINCT_SCAN). */
    async oldestMs({ circuitOpensAt }: Options): Promise<number> {
      const [oldest] = await model.aggregate<{ ageMs: number }>([
        { $match: { webhook_id: { $gt: 0 }, due_at: anyTime } },
        { $sort: { webhook_id: 1, due_at: 1 } },
        { $group: { _id: '$webhook_id', due_at: { $first: '$due_at' } } },
        { $match: { $expr: { $lt: ['$due_at', '$$NOW'] } } },
        { $lookup: { from: 'webhooks', localField: '_id', foreignField: '_id', as: 'webhook' } },
        { $match: { 'webhook.active': true, 'webhook.failures': { $lt: circuitOpensAt } } },
        {
          $lookup: { from: 'partners', localField: 'webhook.partner_id', foreignField: '_id', as: 'partner' },
        },
        { $match: { 'partner.status': { $ne: 'suspended' } } },
        { $group: { _id: null, due_at: { $min: '$due_at' } } },
        { $project: { ageMs: { $subtract: ['$$NOW', '$due_at'] } } },
      ]);
      return oldest?.ageMs ?? 0;
    },
  };
}
