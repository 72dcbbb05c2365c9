import type { Caller, UserReply } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Context } from '../context.ts';

/**
 * The user that a path names: the caller, or a user of the calling partner.
 * @throws ApiError user_not_found, also for any other user
 */
export async function userOfCaller(ctx: Context, caller: Caller, userId: number): Promise<UserReply> {
  if (caller.kind === 'user' && caller.user_id !== userId) throw new ApiError('user_not_found');
  const user = await ctx.identity.fetchUser(userId);
  if (caller.kind === 'partner' && caller.partner_id !== user.partner_id)
    throw new ApiError('user_not_found');
  return user;
}
