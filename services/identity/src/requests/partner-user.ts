import type { RequestData, UserReply } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { answerUser } from './user.ts';

/**
 * A partner's user as they are now.
 * @throws ApiError user_not_found, also where the user is not that partner's
 */
export async function answerPartnerUser(
  ctx: Context,
  { user_id, partner_id }: RequestData<'identity.partner_user'>,
): Promise<UserReply> {
  const user = await answerUser(ctx, { user_id });
  if (user.partner_id !== partner_id) throw new ApiError('user_not_found');
  return user;
}
