import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { loadUserByEmail, partnerCaller } from './users/load-user.ts';
import { resendToUser } from './address-links/resend-to-user.ts';

/** POST /v1/client/users/resend-verification */
export function resendPartnerVerification(ctx: Context): Handler<'resend_partner_verification'> {
  return async ({ principal, body }) => {
    const user = await loadUserByEmail(ctx, partnerCaller(principal), body.email);
    return { body: await resendToUser(ctx, user) };
  };
}
