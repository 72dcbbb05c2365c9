import { answerPage, type Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { getsMessages, isUnverified, type User } from '../../domain/user.ts';
import {
  newLinkLaterPage,
  newLinkPage,
  orRefusalPage,
  pathOf,
  readerOf,
  verifiedPage,
  verifyRefusals,
} from '../pages/address-pages.ts';
import { resendToUser } from './resend-verification.ts';
import { findUserOfLink } from './verify-token.ts';

/** POST /v1/users/verify-email/new-link: the button of the page of an expired link, or a program. */
export function renewVerificationLink(ctx: Context): Handler<'renew_verification_link'> {
  return async (call) => {
    const find = async () => await findUserOfLink(ctx, call.body.token);
    const renew = async (user: User) => {
      const { message, verification_delivery: delivery } = await resendToUser(ctx, user);
      return { message, sent: delivery.status === 'queued' };
    };
    if (!call.wantsPage) return { body: { success: true, ...(await renew(await find())) } };
    return await orRefusalPage(call, verifyRefusals, async () => {
      const user = await find();
      const reader = await readerOf(ctx, user);
      return await orRefusalPage(
        { ...reader, url: call.url },
        { rate_limited: newLinkLaterPage },
        async () => {
          const { sent } = await renew(user);
          if (!isUnverified(user))
            return answerPage(verifiedPage(reader, { path: pathOf(call), isTold: getsMessages(user) }));
          return answerPage((sent ? newLinkPage : newLinkLaterPage)(reader, pathOf(call)));
        },
      );
    });
  };
}
