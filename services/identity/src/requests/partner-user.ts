import { ApiError, type RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { answerUser } from './user.ts';

/**
 * A partner's user as they are now.
 * @throws ApiError user_not_found, also where the user is not that partner's
 */
export function answerPartnerUser(ctx: Context): RequestHandler<'identity.partner_user'> {
  const answer = answerUser(ctx);
  return async ({ user_id, partner_id }) => {
    const user = await answer({ user_id });
    if (user.partner_id !== partner_id) throw new ApiError('user_not_found');
    return user;
  };
}
