import { answerPage, type Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { orInvalidPage } from './pages/or-invalid-page.ts';
import { confirmUndoPage, undonePage, undoRefusals } from './pages/undo-email-change-page.ts';
import { changeOfToken } from './undo-change-of-token.ts';

/** GET /v1/users/undo-email-change?token=. It asks to press a button and changes nothing: mail scanners open links. */
export function undoEmailChangePage(ctx: Context): Handler<'undo_email_change_page'> {
  return async (call) => {
    const { token } = call.query;
    if (call.wantsPage) {
      return await orInvalidPage(call, undoRefusals, async () => {
        const { user, isUndone } = await changeOfToken(ctx, token);
        const language = user.preferred_language;
        return answerPage(isUndone ? undonePage(language) : confirmUndoPage(language, token));
      });
    }
    const { isUndone } = await changeOfToken(ctx, token);
    const message = isUndone
      ? 'The change is undone already.'
      : 'POST to this address to restore the old e-mail address and end all sessions.';
    return { body: { undone: isUndone, message } };
  };
}
