import type { Handler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { eraseCase } from '../changes/erase.ts';
import type { Context } from '../context.ts';
import { ownCase } from './own-case.ts';

/** DELETE /v1/users/{user_id}/cases/{case_ref} */
export function deleteCase(ctx: Context): Handler<'delete_case'> {
  return async ({ caller, params }) => {
    await transaction(ctx.db, async (session) => {
      const path = { ref: params.case_ref, userId: params.user_id, session };
      await eraseCase(ctx, session, await ownCase(ctx, caller, path));
    });
    return { body: { success: true, message: 'Case deleted. It is no longer monitored.' } };
  };
}
