import { toIso } from '@casewatch/contracts';
import { ApiError, type RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/**
 * A user as they are now, for a sibling that must reach them; it keeps none of it.
 * @throws ApiError user_not_found
 */
export function answerUser(ctx: Context): RequestHandler<'identity.user'> {
  return async ({ user_id }) => {
    const user = await ctx.stores.users.find(user_id);
    if (!user) throw new ApiError('user_not_found');
    return {
      id: user._id,
      partner_id: user.partner_id,
      partner_name: await ctx.stores.partners.nameOf(user.partner_id),
      email: user.email,
      name: user.name,
      phone: user.phone,
      status: user.status,
      preferred_language: user.preferred_language,
      notify_by_email: user.notify_by_email,
      notify_by_whatsapp: user.notify_by_whatsapp,
      whatsapp_consent_at: toIso(user.whatsapp_consent?.at ?? null),
      email_verified_at: toIso(user.email_verified_at),
      version: user.version,
      created_at: toIso(user.created_at),
      updated_at: toIso(user.updated_at),
    };
  };
}
