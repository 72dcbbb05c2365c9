import type { Language } from '@casewatch/contracts';
import { html, personPage } from '@casewatch/platform';
import type { RefusalPages } from './or-invalid-page.ts';
import { verifyEmailTexts } from './verify-email-texts.ts';

/** Asks to press the button; opening the link changes nothing. */
export function confirmPage(language: Language, token: string): string {
  const { confirm } = verifyEmailTexts[language];
  // The address is relative, so that it holds under whatever path the public address has.
  const form = html`<form method="post" action="verify-email">
<input type="hidden" name="token" value="${token}">
<button type="submit">${confirm.button}</button>
</form>
`;
  return personPage(language, confirm, form);
}

export function donePage(language: Language): string {
  return personPage(language, verifyEmailTexts[language].done);
}

export const verifyRefusals: RefusalPages = {
  invalid_verification_token: (language) => personPage(language, verifyEmailTexts[language].invalid),
};
