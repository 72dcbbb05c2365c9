import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { toEmailLower } from '../domain/user.ts';
import { newDelivery } from '../store/mail-queue.ts';
import { takeLimits } from './take-limits.ts';

const codeSeconds = 600;
const hourMs = 60 * 60 * 1000;
const perEmailAndAddress = { max: 5, windowMs: hourMs };
const perAddress = { max: 20, windowMs: hourMs };

/**
 * POST /v1/auth/login-code. Whether anybody has the address is looked up only when the mail is made, so that the answer,
 * the work and the time are the same.
 */
export function requestLoginCode(ctx: Context): Handler<'request_login_code'> {
  return async ({ body, address }) => {
    const emailLower = toEmailLower(body.email);
    await takeLimits(
      ctx,
      [
        { name: 'code-email', about: `${emailLower}\0${address}`, limit: perEmailAndAddress },
        { name: 'code-address', about: address, limit: perAddress },
      ],
      'Too many codes were requested; try again after Retry-After seconds.',
    );
    const now = ctx.clock.now();
    const id = ctx.newId();
    await ctx.stores.loginChallenges.insert({
      _id: id,
      email_lower: emailLower,
      address_mac: ctx.macs.of('caller-address', address).toString('base64url'),
      language: body.preferred_language ?? null,
      tries: 0,
      used_at: null,
      created_at: now,
      expires_at: new Date(now.getTime() + codeSeconds * 1000),
      delivery: newDelivery('queued', now),
    });
    ctx.loginMails.wake();
    return {
      body: {
        success: true,
        message: 'If this address belongs to a user, we have sent a code to it.',
        request_id: id,
        expires_in: codeSeconds,
        resend_after: 60,
      },
    };
  };
}
