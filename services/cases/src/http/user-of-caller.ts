import type { Caller, PersonField, PersonWith } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Context } from '../context.ts';

/**
 * The user that a path names: the caller, or a user of the calling partner.
 * @throws ApiError user_not_found, also for any other user
 */
export async function userOfCaller<F extends PersonField>(
  ctx: Context,
  caller: Caller,
  { userId, fields }: { userId: number; fields: readonly F[] },
): Promise<PersonWith<F | 'partner_id'>> {
  if (caller.kind === 'user' && caller.user_id !== userId) throw new ApiError('user_not_found');
  const user = await ctx.identity.fetchUser(userId, ['partner_id', ...fields]);
  if (caller.kind === 'partner' && caller.partner_id !== user.partner_id)
    throw new ApiError('user_not_found');
  return user;
}
