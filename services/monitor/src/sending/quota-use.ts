import { quotaOf } from '../config.ts';
import type { Context } from '../context.ts';
import { type QuotaUse, quotaUseOf } from '../domain/quota.ts';

export async function readQuotaUse(
  ctx: Pick<Context, 'config' | 'clock' | 'quotaDays' | 'stores'>,
): Promise<QuotaUse> {
  const { day } = ctx.quotaDays.at(ctx.clock.now());
  return quotaUseOf(quotaOf(ctx.config), await ctx.stores.budget.read(day));
}
