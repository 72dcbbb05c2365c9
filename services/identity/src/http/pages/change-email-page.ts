import type { Language } from '@casewatch/contracts';
import { html, personPage } from '@casewatch/platform';
import { changeEmailTexts } from './change-email-texts.ts';

/** Asks the new address to confirm. `account`: the masked present address of the account that asked. */
export function confirmChangePage(
  language: Language,
  { token, account }: { token: string; account: string },
): string {
  const { confirm } = changeEmailTexts[language];
  // The address is relative, so that it holds under whatever path the public address has.
  const form = html`<p>${confirm.warning}</p>
<form method="post" action="verify-email">
<input type="hidden" name="token" value="${token}">
<button type="submit">${confirm.button}</button>
</form>
`;
  return personPage(language, { title: confirm.title, text: confirm.text(account) }, form);
}

type Asked = { allowToken: string; stopToken: string; newAddress: string; isAllowed: boolean };

/** Asks the present address to allow the change, or to stop it. `newAddress` is masked. */
export function allowChangePage(language: Language, asked: Asked): string {
  const { allow } = changeEmailTexts[language];
  const allowForm = html`<form method="post" action="verify-email">
<input type="hidden" name="token" value="${asked.allowToken}">
<button type="submit">${allow.button}</button>
</form>
`;
  const forms = html`${asked.isAllowed ? null : allowForm}<p>${allow.stopText}</p>
<form method="post" action="undo-email-change">
<input type="hidden" name="token" value="${asked.stopToken}">
<button type="submit">${allow.stopButton}</button>
</form>
`;
  const text = allow.text(asked.newAddress);
  return personPage(language, { title: allow.title, text }, forms);
}

export function oneConfirmedPage(language: Language): string {
  return personPage(language, changeEmailTexts[language].oneConfirmed);
}

export function stoppedPage(language: Language): string {
  return personPage(language, changeEmailTexts[language].stopped);
}
