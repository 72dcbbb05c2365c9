import { ApiError, type Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { toEmailLower, type User } from '../domain/user.ts';
import { partnerCaller } from './load-user.ts';
import { presentUser } from './present-user.ts';
import { presentQueuedDelivery, presentSkippedDelivery } from './present-verification-delivery.ts';
import { queueVerification } from './queue-verification.ts';
import { takeLimits } from './take-limits.ts';

const minuteMs = 60_000;

/** Per e-mail of a tenant, so that no partner learns from another's limit (interface.md §1). */
const perMinute = { max: 1, windowMs: minuteMs };
const perDay = { max: 5, windowMs: 24 * 60 * minuteMs };

/** POST /v1/client/users/resend-verification */
export function resendPartnerVerification(ctx: Context): Handler<'resend_partner_verification'> {
  return async ({ principal, body }) => {
    const { partner_id } = partnerCaller(principal);
    const user = await ctx.stores.users.ofTenant(partner_id, toEmailLower(body.email));
    if (!user) throw new ApiError('user_not_found');
    if (user.email_verified_at !== null) return { body: alreadyVerified(user) };
    const about = `${partner_id}\0${user.email_lower}`;
    await takeLimits(
      ctx,
      [
        { name: 'resend-minute', about, limit: perMinute },
        { name: 'resend-day', about, limit: perDay },
      ],
      'A verification e-mail was sent a short while ago; try again after Retry-After seconds.',
    );
    const row = await queueVerification(ctx, user);
    ctx.verificationMails.wake();
    const nextAt = new Date(row.created_at.getTime() + minuteMs);
    return {
      body: {
        success: true,
        message: 'We have sent a new verification e-mail.',
        verification_required: true,
        verification_delivery: presentQueuedDelivery(user, row, nextAt),
        user: presentUser(user),
      },
    };
  };
}

function alreadyVerified(user: User) {
  return {
    success: true as const,
    message: 'This e-mail address is verified already.',
    verification_required: false,
    verification_delivery: presentSkippedDelivery(user, 'already_verified', null),
    user: presentUser(user),
  };
}
