import { toIso } from '@casewatch/contracts';
import { answerPage, type Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { orRefusalPage } from '../pages/or-invalid-page.ts';
import { donePage, verifyRefusals } from '../pages/verify-email-page.ts';
import { verifyToken } from './verify-token.ts';

/** POST /v1/users/verify-email: the button of the page, or a program. */
export function verifyEmailButton(ctx: Context): Handler<'verify_email_button'> {
  return async (call) => {
    const { token } = call.body;
    if (call.wantsPage) {
      return await orRefusalPage(call, verifyRefusals, async () => {
        const { user } = await verifyToken(ctx, token);
        return answerPage(donePage(user.preferred_language));
      });
    }
    const { verifiedAt, alreadyVerified } = await verifyToken(ctx, token);
    return {
      body: {
        success: true,
        message: alreadyVerified
          ? 'This e-mail address is verified already.'
          : 'Thank you, your e-mail address is verified.',
        verified: true,
        already_verified: alreadyVerified,
        email_verified_at: toIso(verifiedAt),
      },
    };
  };
}
