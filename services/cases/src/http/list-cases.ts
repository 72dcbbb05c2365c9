import { toIso } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentCase } from '../present/case.ts';
import { findCases } from './find-cases.ts';
import { userOfCaller } from './user-of-caller.ts';

/** GET /v1/users/{user_id}/cases */
export function listCases(ctx: Context): Handler<'list_cases'> {
  return async ({ caller, params, query }) => {
    const user = await userOfCaller(ctx, caller, params.user_id);
    const { rows, page } = await findCases(ctx, {
      operation: 'list_cases',
      caller,
      owner: { user_id: user.id },
      query,
    });
    const view = { language: user.preferred_language, time: toIso, now: ctx.clock.now() };
    return { body: { cases: rows.map((row) => presentCase(row, view)), ...page } };
  };
}
