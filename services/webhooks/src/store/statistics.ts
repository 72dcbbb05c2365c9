import type { Connection } from '@casewatch/platform/database';
import { type Counted, type CountedType, countedTypes } from '../domain/statistics.ts';
import { deliveries } from './delivery-rows.ts';
import { events } from './events.ts';

/** Each count reads keys of one index, and no rows. */
export function createStatisticsStore(db: Connection) {
  const [eventModel, deliveryModel] = [events(db), deliveries(db)];
  return {
    async countEvents(partnerId: number, since: Date): Promise<Counted<CountedType>[]> {
      return await eventModel.aggregate([
        { $match: { partner_id: partnerId, intake_at: { $gte: since }, type: { $in: [...countedTypes] } } },
        { $group: { _id: { hour: hourOf('$intake_at'), kind: '$type' }, count: { $sum: 1 } } },
        { $project: { _id: 0, hour: '$_id.hour', kind: '$_id.kind', count: 1 } },
      ]);
    },

    /** @param status only deliveries in this state */
    async countDeliveries(
      webhookIds: readonly number[],
      since: Date,
      status?: 'failed',
    ): Promise<Omit<Counted<never>, 'kind'>[]> {
      const match = { webhook_id: { $in: [...webhookIds] }, created_at: { $gte: since } };
      return await deliveryModel.aggregate([
        { $match: { ...match, ...(status && { status }) } },
        { $group: { _id: hourOf('$created_at'), count: { $sum: 1 } } },
        { $project: { _id: 0, hour: '$_id', count: 1 } },
      ]);
    },
  };
}

function hourOf(field: string) {
  return { $dateTrunc: { date: field, unit: 'hour' } };
}
