import { ApiError, type Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { countOfPartner } from './usage-of-partner.ts';
import { limitsOfPartner } from './limits-of-partner.ts';
import { partnerCaller } from '../users/load-user.ts';
import { presentClientRead } from '../../present/client.ts';

/** GET /v1/client/profile */
export function getProfile(ctx: Context): Handler<'get_profile'> {
  return async ({ principal }) => {
    const caller = partnerCaller(principal);
    const [partner, counts, limits] = await Promise.all([
      ctx.stores.partners.find(caller.partner_id),
      countOfPartner(ctx, caller.partner_id),
      limitsOfPartner(ctx, caller.partner_id),
    ]);
    // Partners are never deleted.
    if (!partner)
      throw new ApiError('internal_error', { detail: `there is no partner ${caller.partner_id}` });
    return { body: { client: presentClientRead({ partner, caller, counts, limits }) } };
  };
}
