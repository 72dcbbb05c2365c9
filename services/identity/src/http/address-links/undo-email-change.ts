import type { Body, Query } from '@casewatch/contracts';
import { answerPage, faultsError, type Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { fault } from '../../domain/check-user-body.ts';
import { stoppedPage } from '../pages/change-email-page.ts';
import { orRefusalPage } from '../pages/or-invalid-page.ts';
import { undonePage, undoRefusals } from '../pages/undo-email-change-page.ts';
import { undoChangeByToken } from './undo-change-of-token.ts';

/** POST /v1/users/undo-email-change: the button of the page, or a program. */
export function undoEmailChange(ctx: Context): Handler<'undo_email_change'> {
  return async (call) => {
    const token = tokenOf(call);
    if (call.wantsPage) {
      return await orRefusalPage(call, undoRefusals, async () => {
        const { user, asked } = await undoChangeByToken(ctx, token);
        return answerPage((asked ? stoppedPage : undonePage)(user.preferred_language));
      });
    }
    const { isUndone, asked } = await undoChangeByToken(ctx, token);
    return {
      body: {
        success: true,
        message: asked
          ? 'The change is stopped, and all sessions have ended.'
          : 'Your old e-mail address is restored, and all sessions have ended.',
        undone: true,
        already_undone: isUndone,
      },
    };
  };
}

type Sent = { query: Query<'undo_email_change'>; body: Body<'undo_email_change'> };

/** @throws ApiError validation_failed where it stands neither in the query nor in the body */
function tokenOf({ query, body }: Sent): string {
  const token = body.token ?? query.token;
  if (token === undefined) throw faultsError([fault('token', 'required', 'is required')]);
  return token;
}
