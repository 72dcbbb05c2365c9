import { toIso } from '@casewatch/contracts';
import { answerPage, type Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { orInvalidPage } from './pages/or-invalid-page.ts';
import { confirmPage, donePage, verifyRefusals } from './pages/verify-email-page.ts';
import { userOfToken, verifyToken } from './verify-token.ts';

/**
 * GET /v1/users/verify-email?token=. A program verifies by it; a browser gets a page with a button, because mail
 * scanners open links.
 */
export function verifyEmailLink(ctx: Context): Handler<'verify_email_link'> {
  return async (call) => {
    const { token } = call.query;
    if (call.wantsPage) {
      return await orInvalidPage(call, verifyRefusals, async () => {
        const user = await userOfToken(ctx, token);
        const language = user.preferred_language;
        return answerPage(user.email_verified_at ? donePage(language) : confirmPage(language, token));
      });
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
