import { toPartnerTime } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { presentUser } from '../../present/user.ts';
import { loadUser } from './load-user.ts';

/** GET /v1/users/{user_id} */
export function getUser(ctx: Context): Handler<'get_user'> {
  return async ({ caller, params }) => {
    const user = await loadUser(ctx, { caller, id: params.user_id });
    return { body: { user: presentUser(user) } };
  };
}

/** GET /v1/client/users/{user_id} */
export function getPartnerUser(ctx: Context): Handler<'get_partner_user'> {
  return async ({ caller, params }) => {
    const [user, brand] = await Promise.all([
      loadUser(ctx, { caller, id: params.user_id }),
      ctx.stores.partners.brandOf(caller.partner_id),
    ]);
    return { body: { user: { ...presentUser(user, toPartnerTime), partner_name: brand?.name ?? '' } } };
  };
}
