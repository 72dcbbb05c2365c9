import { ApiError, type Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { presentClientRead } from '../../present/client.ts';
import { usageOfPartner } from './usage-of-partner.ts';

/** GET /v1/client/profile */
export function getProfile(ctx: Context): Handler<'get_profile'> {
  return async ({ caller }) => {
    const { partner_id: id } = caller;
    const [partner, usage] = await Promise.all([ctx.stores.partners.find(id), usageOfPartner(ctx, id)]);
    // Partners are never deleted.
    if (!partner) throw new ApiError('internal_error', { detail: `there is no partner ${id}` });
    return { body: { client: presentClientRead({ partner, caller, usage }) } };
  };
}
