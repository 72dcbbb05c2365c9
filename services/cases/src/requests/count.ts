import type { ReplyInput, RequestData } from '@casewatch/contracts';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';

type Counts = ReplyInput<'cases.count'>;

/** A count reads one index key per case, so the count of a partner with more cases is cached. */
const cacheFrom = 10_000;
const cacheMs = 60_000;
const maxPartners = 1_000;

/** Cases and active cases of a partner's users. */
export function answerCount(ctx: Context) {
  const cache = new LRUCache<number, Counts>({ max: maxPartners, ttl: cacheMs });
  return async ({ partner_id }: RequestData<'cases.count'>): Promise<Counts> => {
    const cached = cache.get(partner_id);
    if (cached) return cached;
    const counts = await ctx.stores.cases.count(partner_id);
    if (counts.cases > cacheFrom) cache.set(partner_id, counts);
    return counts;
  };
}
