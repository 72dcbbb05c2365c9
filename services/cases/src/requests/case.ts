import { type ReplyInput, type RequestData, toIso } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentCase, presentMonitoring } from '../present/case.ts';

/** @throws ApiError case_not_found */
export function answerCase(ctx: Context) {
  return async ({ case_id, language }: RequestData<'cases.case'>): Promise<ReplyInput<'cases.case'>> => {
    const row = await ctx.stores.cases.find(case_id);
    if (row === null) throw new ApiError('case_not_found');
    return {
      case: presentCase(row, { language, time: toIso, now: ctx.clock.now() }),
      user_id: row.user_id,
      partner_id: row.partner_id,
      watched: row.watched,
      version: row.version,
      monitoring: presentMonitoring(row, toIso),
      latest_observation: row.latest_update?.observation ?? null,
    };
  };
}
