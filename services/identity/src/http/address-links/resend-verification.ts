import type { Handler } from '@casewatch/platform';
import { queueAddressRequest } from '../../changes/queue-address-request.ts';
import type { Context } from '../../context.ts';
import { toEmailLower } from '../../domain/user.ts';
import { resendLimits } from '../../limits/resend-limits.ts';
import { tryLimits } from '../../limits/take-limits.ts';
import { loadUserByEmail } from '../users/load-user.ts';
import { resendToUser } from './resend-to-user.ts';

/** POST /v1/users/resend-verification: a person for themselves, a partner for its user, or somebody unknown. */
export function resendVerification(ctx: Context): Handler<'resend_verification'> {
  return async ({ caller, body }) => {
    if (caller.kind === 'anonymous') return await answerUnknown(ctx, body.email);
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

/** Always the same, also where the limit keeps it from being done: nothing tells whether the address is known. */
async function answerUnknown(ctx: Context, email: string) {
  const freeAt = await tryLimits(ctx, resendLimits('anonymous', toEmailLower(email)));
  if (freeAt === null) {
    const asked = { kind: 'resend_verification', email, language: 'en', notify_by_email: true } as const;
    await queueAddressRequest(ctx, asked);
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
