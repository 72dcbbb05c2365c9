import { toIso } from '@casewatch/contracts';
import { answerPage, type Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { oneConfirmedPage } from './pages/change-email-page.ts';
import { orInvalidPage } from './pages/or-invalid-page.ts';
import { donePage, verifyRefusals } from './pages/verify-email-page.ts';
import { verifyToken } from './verify-token.ts';

/** POST /v1/users/verify-email: the button of the page, or a program. */
export function verifyEmailButton(ctx: Context): Handler<'verify_email_button'> {
  return async (call) => {
    const { token } = call.body;
    if (call.wantsPage) {
      return await orInvalidPage(call, verifyRefusals, async () => {
        const { user, isWaiting } = await verifyToken(ctx, token);
        const show = isWaiting ? oneConfirmedPage : donePage;
        return answerPage(show(user.preferred_language));
      });
    }
    const { verifiedAt, alreadyVerified, isWaiting } = await verifyToken(ctx, token);
    return {
      body: {
        success: true,
        message: messageOf(alreadyVerified, isWaiting),
        verified: true,
        already_verified: alreadyVerified,
        email_verified_at: toIso(verifiedAt),
      },
    };
  };
}

function messageOf(alreadyVerified: boolean, isWaiting: boolean): string {
  if (isWaiting) return 'Thank you. The change takes effect when the other address has confirmed it too.';
  return alreadyVerified
    ? 'This e-mail address is verified already.'
    : 'Thank you, your e-mail address is verified.';
}
