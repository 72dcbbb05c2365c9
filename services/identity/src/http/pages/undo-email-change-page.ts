import type { Language } from '@casewatch/contracts';
import { html, personPage } from '@casewatch/platform';
import type { RefusalPages } from './or-invalid-page.ts';
import { undoEmailChangeTexts } from './undo-email-change-texts.ts';

/** Asks to press the button; opening the link changes nothing. */
export function confirmUndoPage(language: Language, token: string): string {
  const { confirm } = undoEmailChangeTexts[language];
  // The address is relative, so that it holds under whatever path the public address has.
  const form = html`<form method="post" action="undo-email-change">
<input type="hidden" name="token" value="${token}">
<button type="submit">${confirm.button}</button>
</form>
`;
  return personPage(language, confirm, form);
}

export function undonePage(language: Language): string {
  return personPage(language, undoEmailChangeTexts[language].done);
}

export const undoRefusals: RefusalPages = {
  invalid_verification_token: (language) => personPage(language, undoEmailChangeTexts[language].invalid),
  email_already_exists: (language) => personPage(language, undoEmailChangeTexts[language].taken),
};
