import type { Caller } from '@casewatch/contracts';
import { ApiError, type Handler, idsOf } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { eraseUser } from '../../changes/change-user.ts';
import { logSessionsEnded } from '../../changes/end-sessions.ts';
import type { Context } from '../../context.ts';
import { isRecentSignIn } from '../../domain/user.ts';
import { loadUser } from './load-user.ts';

/** DELETE /v1/users/{user_id}: by the person, after a recent sign-in. */
export function deleteUser(ctx: Context): Handler<'delete_user'> {
  return async ({ caller, params }) => {
    await deleteUserOfCaller(ctx, caller, params.user_id);
    return {
      body: { success: true, message: 'Your account is deleted. Your cases are no longer monitored.' },
    };
  };
}

/** DELETE /v1/client/users/{user_id} */
export function deletePartnerUser(ctx: Context): Handler<'delete_partner_user'> {
  return async ({ caller, params }) => {
    await deleteUserOfCaller(ctx, caller, params.user_id);
    return { body: { success: true, message: 'User deleted. Their cases are no longer monitored.' } };
  };
}

/** @throws ApiError user_not_found, reauthentication_required */
async function deleteUserOfCaller(ctx: Context, caller: Caller, id: number): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const user = await loadUser(ctx, { caller, id, tx });
    if (caller.kind === 'user' && !isRecentSignIn(caller, ctx.clock.now())) {
      throw new ApiError('reauthentication_required');
    }
    await eraseUser(ctx, tx, user);
  });
  logSessionsEnded(ctx, id, { reason: 'user_deleted', by: idsOf(caller) });
}
