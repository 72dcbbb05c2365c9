import { toIso } from '@casewatch/contracts';
import { answerPage, type Handler, type PageAnswer } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { maskEmail } from '../../domain/mask-email.ts';
import { confirmChangePage } from '../pages/change-email-page.ts';
import { orRefusalPage } from '../pages/or-invalid-page.ts';
import { confirmPage, donePage, verifyRefusals } from '../pages/verify-email-page.ts';
import { type FoundLink, findLinkByToken, verifyToken } from './verify-token.ts';

/**
 * GET /v1/users/verify-email?token=. A program, which names JSON in `Accept`, verifies by it. To everything else it shows a page
 * with a button and changes nothing, because mail scanners and link previews open links.
 */
export function verifyEmailLink(ctx: Context): Handler<'verify_email_link'> {
  return async (call) => {
    const { token } = call.query;
    if (!call.isProgram) {
      const show = async () => answer(await findLinkByToken(ctx, token), token);
      return call.wantsPage ? await orRefusalPage(call, verifyRefusals, show) : await show();
    }
    const { verifiedAt, alreadyVerified } = await verifyToken(ctx, token);
    return {
      body: {
        success: true,
        verified: true,
        already_verified: alreadyVerified,
        email_verified_at: toIso(verifiedAt),
      },
    };
  };
}

function answer({ user, change }: FoundLink, token: string): PageAnswer {
  const language = user.preferred_language;
  if (change?.proven_at === null) {
    return answerPage(confirmChangePage(language, { token, account: maskEmail(user.email) }));
  }
  const isDone = change !== null || user.email_verified_at !== null;
  return answerPage(isDone ? donePage(language) : confirmPage(language, token));
}
