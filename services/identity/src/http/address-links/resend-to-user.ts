import type { Success } from '@casewatch/contracts';
import { ApiError, transaction } from '@casewatch/platform';
import { queueVerification } from '../../changes/queue-verification.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../domain/user.ts';
import { resendLimits, resendMinuteMs } from '../../limits/resend-limits.ts';
import { takeLimits } from '../../limits/take-limits.ts';
import { presentUser } from '../../present/user.ts';
import {
  presentQueuedDelivery,
  presentSkippedDelivery,
  recipientLimitMessage,
} from '../../present/verification-delivery.ts';

type Resent = Success<'resend_partner_verification'>;

/**
 * Sends another verification mail to a user whom the caller may know of; a verified one is never limited.
 * @throws ApiError rate_limited, user_not_found (deleted meanwhile)
 */
export async function resendToUser(ctx: Context, user: User): Promise<Resent> {
  if (user.email_verified_at !== null) return alreadyVerified(user);
  await takeLimits(
    ctx,
    resendLimits(user.partner_id ?? 'direct', user.email_lower),
    'A verification e-mail was sent a short while ago; try again after Retry-After seconds.',
  );
  const { row, freeAt } = await transaction(ctx.db, async (tx) => {
    const isThere = await ctx.stores.users.recordVerificationMail(user._id, ctx.clock.now(), tx);
    if (!isThere) throw new ApiError('user_not_found');
    return await queueVerification(ctx, user, tx);
  });
  if (!row) return beyondRecipientLimit(user, freeAt);
  ctx.signals.emit('verificationMails');
  const nextAt = new Date(row.created_at.getTime() + resendMinuteMs);
  return {
    success: true,
    message: 'We have sent a new verification e-mail.',
    verification_required: true,
    verification_delivery: presentQueuedDelivery(user, row, nextAt),
    user: presentUser(user),
  };
}

function alreadyVerified(user: User): Resent {
  return {
    success: true,
    message: 'This e-mail address is verified already.',
    verification_required: false,
    verification_delivery: presentSkippedDelivery(user, 'already_verified', null),
    user: presentUser(user),
  };
}

function beyondRecipientLimit(user: User, freeAt: Date): Resent {
  return {
    success: true,
    message: recipientLimitMessage,
    verification_required: true,
    verification_delivery: presentSkippedDelivery(user, 'recipient_limit', freeAt),
    user: presentUser(user),
  };
}
