import type { Success } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import { databaseTime } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { type Counted, periodsOf, periodsShown, statisticsSince } from '../domain/statistics.ts';
import { presentPeriod } from '../present/statistics.ts';

/** A count reads one index key per event or delivery, so the counts of a partner with more are cached. */
const cacheFrom = 10_000;
const cacheMs = 60_000;
/** Then the cache begins again. */
const maxPartners = 1_000;

/** GET /v1/client/statistics */
export function getStatistics(ctx: Context): Handler<'get_statistics'> {
  const cache = new Map<number, { body: Success<'get_statistics'>; until: number }>();
  return async ({ caller: { partner_id: partnerId } }) => {
    const cached = cache.get(partnerId);
    if (cached && cached.until > performance.now()) return { body: cached.body };
    const now = await databaseTime(ctx.db);
    const counted = await countHours(ctx, partnerId, statisticsSince(now));
    const body = {
      hours: periodsOf(counted, now, periodsShown.hours).map(presentPeriod),
      days: periodsOf(counted, now, periodsShown.days).map(presentPeriod),
    };
    if (counted.reduce((sum, { count }) => sum + count, 0) > cacheFrom) {
      if (cache.size >= maxPartners) cache.clear();
      cache.set(partnerId, { body, until: performance.now() + cacheMs });
    }
    return { body };
  };
}

/** All that happened to the partner, by hour and kind. */
async function countHours(ctx: Context, partnerId: number, since: Date): Promise<Counted[]> {
  const { statistics, webhooks } = ctx.stores;
  const ids = (await webhooks.ofPartners([partnerId])).map(({ _id }) => _id);
  const [events, all, failed] = await Promise.all([
    statistics.countEvents(partnerId, since),
    statistics.countDeliveries(ids, since),
    statistics.countDeliveries(ids, since, 'failed'),
  ]);
  return [
    ...events,
    ...all.map((count) => ({ ...count, kind: 'delivery' as const })),
    ...failed.map((count) => ({ ...count, kind: 'failed delivery' as const })),
  ];
}
