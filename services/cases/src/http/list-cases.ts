import { toIso } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentCase } from '../present/case.ts';
import { findCases } from './find-cases.ts';
import { userOfCaller } from './user-of-caller.ts';

/** GET /v1/users/{user_id}/cases */
export function listCases(ctx: Context): Handler<'list_cases'> {
  return async ({ caller, params, query }) => {
    const owner = { user_id: params.user_id };
    const [user, listed] = await Promise.allSettled([
      userOfCaller(ctx, caller, params.user_id),
      findCases(ctx, { operation: 'list_cases', caller, owner, query }),
    ]);
    if (user.status === 'rejected') throw user.reason;
    if (listed.status === 'rejected') throw listed.reason;
    const { rows, page } = listed.value;
    const view = { language: user.value.preferred_language, time: toIso, now: ctx.clock.now() };
    return { body: { cases: rows.map((row) => presentCase(row, view)), ...page } };
  };
}
