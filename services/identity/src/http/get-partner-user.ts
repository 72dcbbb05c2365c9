import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { loadUser, partnerCaller } from './users/load-user.ts';
import { presentPartnerUser } from '../present/user.ts';

/** GET /v1/client/users/{user_id} */
export function getPartnerUser(ctx: Context): Handler<'get_partner_user'> {
  return async ({ principal, params }) => {
    const caller = partnerCaller(principal);
    const [user, partnerName] = await Promise.all([
      loadUser(ctx, { caller, id: params.user_id }),
      ctx.stores.partners.nameOf(caller.partner_id),
    ]);
    return { body: { user: { ...presentPartnerUser(user), partner_name: partnerName ?? '' } } };
  };
}
