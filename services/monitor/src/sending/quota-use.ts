import type { SharedContext } from '../context.ts';
import { type QuotaUse, quotaUseOf } from '../domain/quota.ts';

export async function readQuotaUse(ctx: SharedContext): Promise<QuotaUse> {
  const now = ctx.clock.now();
  const use = await ctx.stores.budget.read(ctx.quotaDays.at(now).day);
  return quotaUseOf(ctx.quota, use, ctx.dayParts.left(now));
}
