import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** One question for a batch of messages. */
export function answerActive(ctx: Context): RequestHandler<'cases.active'> {
  return async ({ case_ids }) => ({ case_ids: await ctx.stores.cases.activeAmong(case_ids) });
}
