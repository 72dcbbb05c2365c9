import { answerPage, type Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { isUnverified } from '../../domain/user.ts';
import {
  newLinkLaterPage,
  newLinkPage,
  orRefusalPage,
  pathOf,
  verifiedPage,
  verifyRefusals,
} from '../pages/address-pages.ts';
import { resendToUser } from './resend-verification.ts';
import { findUserOfLink } from './verify-token.ts';

/** POST /v1/users/verify-email/new-link: the button of the page of an expired link, or a program. */
export function renewVerificationLink(ctx: Context): Handler<'renew_verification_link'> {
  return async (call) => {
    const renew = async () => {
      const user = await findUserOfLink(ctx, call.body.token);
      const { message, verification_delivery: delivery } = await resendToUser(ctx, user);
      return { user, message, sent: delivery.status === 'queued' };
    };
    if (!call.wantsPage) {
      const { message, sent } = await renew();
      return { body: { success: true, message, sent } };
    }
    return await orRefusalPage(call, { ...verifyRefusals, rate_limited: newLinkLaterPage }, async () => {
      const { user, sent } = await renew();
      const language = user.preferred_language;
      if (!isUnverified(user)) return answerPage(verifiedPage(language, pathOf(call)));
      return answerPage((sent ? newLinkPage : newLinkLaterPage)(language, pathOf(call)));
    });
  };
}
