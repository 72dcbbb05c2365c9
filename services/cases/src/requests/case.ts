import { ApiError, type RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentCaseReply } from '../present/case-reply.ts';

/** @throws ApiError case_not_found */
export function answerCase(ctx: Context): RequestHandler<'cases.case'> {
  return async ({ case_id, language }) => {
    const row = await ctx.stores.cases.find(case_id);
    if (row === null) throw new ApiError('case_not_found');
    return presentCaseReply(row, { language, now: ctx.clock.now() });
  };
}
