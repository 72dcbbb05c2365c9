import type { ReplyInput, RequestData } from '@casewatch/contracts';
import type { Context } from '../context.ts';

/** `cases.count`: how many cases a partner's users have, and how many of them are active. */
export function answerCount(ctx: Context) {
  return async ({ partner_id }: RequestData<'cases.count'>): Promise<ReplyInput<'cases.count'>> =>
    await ctx.cases.count(partner_id);
}
