import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { makeCase } from './make-case.ts';

/** POST /v1/client/users/{user_id}/cases: the first check is made before the answer, unless the caller defers it. */
export function createPartnerCase(ctx: Context): Handler<'create_partner_case'> {
  return async (call) => await makeCase(ctx, call, (row) => `/v1/client/cases/${row._id}`);
}
