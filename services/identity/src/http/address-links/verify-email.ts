import { type Language, toIso } from '@casewatch/contracts';
import { ApiError, answerPage, type Handler, type PageAnswer } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { getsMessages, isUnverified, maskEmail } from '../../domain/user.ts';
import {
  confirmChangePage,
  expiredPage,
  orRefusalPage,
  pathOf,
  readerOf,
  verifiedPage,
  verifyPage,
  verifyRefusals,
} from '../pages/address-pages.ts';
import {
  findLinkByToken,
  findUserOfLink,
  type VerificationLink,
  type Verified,
  verifyToken,
} from './verify-token.ts';

/**
 * GET /v1/users/verify-email. A program, which names JSON in `Accept`, verifies the address. Any other caller gets a page with
 * a button: mail scanners and link previews open links.
 */
export function verifyEmailLink(ctx: Context): Handler<'verify_email_link'> {
  return async (call) => {
    const { token } = call.query;
    if (!call.isProgram) {
      const showPage = async () =>
        await pageOf(ctx, await findLinkByToken(ctx, token), { token, path: pathOf(call) });
      return call.wantsPage ? await orNewLinkPage(ctx, call, { token, work: showPage }) : await showPage();
    }
    return { body: present(await verifyToken(ctx, token)) };
  };
}

type At = { readonly token: string; readonly path: string };

async function pageOf(
  ctx: Context,
  { user, change }: VerificationLink,
  { token, path }: At,
): Promise<PageAnswer> {
  const reader = await readerOf(ctx, user);
  if (change?.proven_at === null) {
    return answerPage(confirmChangePage(reader, token, maskEmail(user.email)));
  }
  const isVerified = change !== null || user.email_verified_at !== null;
  return answerPage(
    isVerified ? verifiedPage(reader, { path, isTold: getsMessages(user) }) : verifyPage(reader, token),
  );
}

type Attempt = { token: string; work: () => Promise<PageAnswer> };

/**
 * Turns a refusal into a page. If the link has only expired, the page says that the address is confirmed, by another way, or has a button
 * that asks for a new link.
 */
async function orNewLinkPage(
  ctx: Context,
  call: { readonly language: Language; readonly url: string },
  { token, work }: Attempt,
): Promise<PageAnswer> {
  return await orRefusalPage(call, verifyRefusals, async () => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'invalid_verification_token') throw error;
      const user = await findUserOfLink(ctx, token);
      const reader = await readerOf(ctx, user);
      if (!isUnverified(user))
        return answerPage(verifiedPage(reader, { path: pathOf(call), isTold: getsMessages(user) }));
      return answerPage(expiredPage(reader, token), error.status);
    }
  });
}

/** POST /v1/users/verify-email: the button of the page, or a program. */
export function verifyEmailButton(ctx: Context): Handler<'verify_email_button'> {
  return async (call) => {
    const { token } = call.body;
    if (call.wantsPage) {
      const verify = async () => {
        const { user } = await verifyToken(ctx, token);
        const reader = await readerOf(ctx, user);
        return answerPage(verifiedPage(reader, { path: pathOf(call), isTold: getsMessages(user) }));
      };
      return await orNewLinkPage(ctx, call, { token, work: verify });
    }
    const verified = await verifyToken(ctx, token);
    const message = verified.alreadyVerified
      ? 'This e-mail address is already verified.'
      : 'Thank you, your e-mail address is verified.';
    return { body: { ...present(verified), message } };
  };
}

function present({ verifiedAt, alreadyVerified }: Verified) {
  const email_verified_at = toIso(verifiedAt);
  return { success: true, verified: true, already_verified: alreadyVerified, email_verified_at } as const;
}
