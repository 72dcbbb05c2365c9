import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { makeCase } from './make-case.ts';

/** POST /v1/users/{user_id}/cases: a user's own case; it is the user who acknowledges. */
export function createCase(ctx: Context): Handler<'create_case'> {
  return async (call) => await makeCase(ctx, call, (row) => `/v1/users/${row.user_id}/cases/${row._id}`);
}
