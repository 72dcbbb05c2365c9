import { answerPage, type Handler } from '@casewatch/platform';
import type { Context } from '../../context.ts';
import { maskEmail } from '../../domain/mask-email.ts';
import { stopChangePage, stoppedPage } from '../pages/change-email-page.ts';
import { orRefusalPage } from '../pages/or-invalid-page.ts';
import { confirmUndoPage, undonePage, undoRefusals } from '../pages/undo-email-change-page.ts';
import { type FoundChange, findChangeByToken } from './undo-change-of-token.ts';

/** GET /v1/users/undo-email-change?token=. It asks to press a button and changes nothing: mail scanners open links. */
export function undoEmailChangePage(ctx: Context): Handler<'undo_email_change_page'> {
  return async (call) => {
    const { token } = call.query;
    if (call.wantsPage) {
      return await orRefusalPage(call, undoRefusals, async () => {
        return answerPage(pageOf(await findChangeByToken(ctx, token), token));
      });
    }
    const { isUndone, asked } = await findChangeByToken(ctx, token);
    const toDo = asked
      ? 'POST to this address to stop the change and end all sessions.'
      : 'POST to this address to restore the old e-mail address and end all sessions.';
    return { body: { undone: isUndone, message: isUndone ? 'The change is undone already.' : toDo } };
  };
}

function pageOf({ asked, user, isUndone }: FoundChange, token: string): string {
  const language = user.preferred_language;
  if (!asked) return isUndone ? undonePage(language) : confirmUndoPage(language, token);
  if (isUndone) return stoppedPage(language);
  return stopChangePage(language, { token, newAddress: maskEmail(asked.new_email) });
}
