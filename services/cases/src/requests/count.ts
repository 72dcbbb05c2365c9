import type { ReplyInput, RequestData } from '@casewatch/contracts';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';

type Counts = ReplyInput<'cases.count'>;

/** A count reads an index key for each case, so that of a partner with more cases than this is kept. */
const many = 10_000;
const keptMs = 60_000;
/** Partners whose counts are kept at most. */
const maxPartners = 1_000;

/**
 * `cases.count`: how many cases a partner's users have, and how many of them are active; of more than 10,000 as of a
 * minute ago at most.
 */
export function answerCount(ctx: Context) {
  const kept = new LRUCache<number, Counts>({ max: maxPartners, ttl: keptMs });
  return async ({ partner_id }: RequestData<'cases.count'>): Promise<Counts> => {
    const known = kept.get(partner_id);
    if (known) return known;
    const counts = await ctx.stores.cases.count(partner_id);
    if (counts.cases > many) kept.set(partner_id, counts);
    return counts;
  };
}
