import type { Caller, UserReply } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { askUser } from '../clients/identity.ts';
import type { Context } from '../context.ts';

/**
 * The user that a path names: the caller's own self, or one of the calling partner's users.
 * @throws ApiError user_not_found, also for anybody else's user
 */
export async function userOfCaller(ctx: Context, caller: Caller, userId: number): Promise<UserReply> {
  if (caller.kind === 'user' && caller.user_id !== userId) throw new ApiError('user_not_found');
  const user = await askUser(ctx.bus, userId);
  if (caller.kind === 'partner' && caller.partner_id !== user.partner_id)
    throw new ApiError('user_not_found');
  return user;
}
