import { ApiError, type RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/**
 * What mails and profiles need to know of a partner. Partners are never deleted, so one that is not there is a fault.
 * @throws ApiError internal_error
 */
export function answerPartner(ctx: Context): RequestHandler<'identity.partner'> {
  return async ({ partner_id }) => {
    const partner = await ctx.stores.partners.find(partner_id);
    if (!partner) throw new ApiError('internal_error', { detail: `there is no partner ${partner_id}` });
    const { _id, ...rest } = partner;
    return { id: _id, ...rest };
  };
}
