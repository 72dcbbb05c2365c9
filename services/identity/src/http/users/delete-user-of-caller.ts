import { ApiError, idsOf, transaction } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { isRecentSignIn } from '../../domain/recent-sign-in.ts';
import { eraseUser } from '../../changes/change-user.ts';
import { type KnownCaller, loadUser } from './load-user.ts';
import { logSessionsEnded } from './log-sessions-ended.ts';

/**
 * Both DELETEs of a user: everything about them here goes at once, and the others hear of it.
 * @throws ApiError user_not_found, reauthentication_required
 */
export async function deleteUserOfCaller(
  ctx: Context,
  { caller, id }: { caller: KnownCaller; id: number },
): Promise<void> {
  await transaction(ctx.db, async (session) => {
    const user = await loadUser(ctx, { caller, id, session });
    if (caller.kind === 'user' && !isRecentSignIn(caller, ctx.clock.now())) {
      throw new ApiError('reauthentication_required');
    }
    await eraseUser(ctx, session, user);
  });
  logSessionsEnded(ctx, id, { reason: 'user_deleted', by: idsOf(caller) });
}
