import type { Success } from '@casewatch/contracts';
import { acted, ApiError, type Handler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { queueAddressRequest } from '../../changes/queue-address-request.ts';
import { queueVerification } from '../../changes/queue-verification.ts';
import type { Context } from '../../context.ts';
import { isUnverified, toEmailLower, type User } from '../../domain/user.ts';
import { resendLimits, resendMinuteMs } from '../../limits/mail-limits.ts';
import { takeLimits, tryLimits } from '../../limits/take-limits.ts';
import { presentUser } from '../../present/user.ts';
import {
  presentQueuedDelivery,
  presentSkippedDelivery,
  recipientLimitMessage,
} from '../../present/verification-delivery.ts';
import { loadUserByEmail } from '../users/load-user.ts';

/** POST /v1/users/resend-verification: for the person, the partner, or an anonymous caller. */
export function resendVerification(ctx: Context): Handler<'resend_verification'> {
  return async ({ caller, body }) => {
    if (caller.kind === 'anonymous') return await answerAnonymous(ctx, body.email);
    const user = await loadUserByEmail(ctx, caller, body.email);
    return { body: await resendToUser(ctx, user) };
  };
}

/** POST /v1/client/users/resend-verification */
export function resendPartnerVerification(ctx: Context): Handler<'resend_partner_verification'> {
  return async ({ caller, body }) => {
    const user = await loadUserByEmail(ctx, caller, body.email);
    return { body: await resendToUser(ctx, user) };
  };
}

/** The answer is the same for every address, also beyond the limit (quality.md, no enumeration). */
async function answerAnonymous(ctx: Context, email: string) {
  const freeAt = await tryLimits(ctx, resendLimits('anonymous', toEmailLower(email)));
  if (freeAt === null) {
    const request = { kind: 'resend_verification', email, language: 'en', notify_by_email: true } as const;
    await queueAddressRequest(ctx, request);
  }
  return {
    body: {
      success: true as const,
      message: 'If this address belongs to a user and is not verified, we have sent an e-mail to it.',
      verification_required: true as const,
      verification_delivery: null,
      user: null,
    },
  };
}

type Resent = Success<'resend_partner_verification'>;

/** Sends a new link within the limits. @throws ApiError rate_limited, user_not_found (deleted meanwhile) */
export async function resendToUser(ctx: Context, user: User): Promise<Resent> {
  if (!isUnverified(user)) {
    const delivery = presentSkippedDelivery(user, 'already_verified', null);
    return present(user, 'This e-mail address is already verified.', delivery);
  }
  await takeLimits(
    ctx,
    resendLimits(user.partner_id ?? 'direct', user.email_lower),
    'A verification e-mail was sent recently; try again after Retry-After seconds.',
  );
  const { row, freeAt } = await transaction(ctx.db, async (tx) => {
    const isStored = await ctx.stores.users.recordVerificationMail(user._id, ctx.clock.now(), tx);
    if (!isStored) throw new ApiError('user_not_found');
    acted('user', user._id);
    return await queueVerification(ctx, user, tx);
  });
  if (!row) {
    return present(user, recipientLimitMessage, presentSkippedDelivery(user, 'recipient_limit', freeAt));
  }
  ctx.signals.emit('verificationMails');
  const nextAt = new Date(row.created_at.getTime() + resendMinuteMs);
  return present(user, 'We have sent a new verification e-mail.', presentQueuedDelivery(user, row, nextAt));
}

function present(user: User, message: string, delivery: Resent['verification_delivery']): Resent {
  return {
    success: true,
    message,
    verification_required: isUnverified(user),
    verification_delivery: delivery,
    user: presentUser(user),
  };
}
