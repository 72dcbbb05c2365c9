import { toIso } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { readCase } from './read-case.ts';

/** GET /v1/users/{user_id}/cases/{case_ref}: as the partner's read, for the user and their partner, in ISO times. */
export function getCase(ctx: Context): Handler<'get_case'> {
  return async ({ caller, params, query }) => ({
    body: await readCase(ctx, {
      operation: 'get_case',
      caller,
      ref: params.case_ref,
      userId: params.user_id,
      cursor: query.updates_cursor,
      time: toIso,
    }),
  });
}
