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

/** Asks the present address whether to stop the change. `newAddress` is masked. */
export function stopChangePage(
  language: Language,
  { token, newAddress }: { token: string; newAddress: string },
): string {
  const { stop } = changeEmailTexts[language];
  const form = html`<p>${stop.ifNotYou}</p>
<form method="post" action="undo-email-change">
<input type="hidden" name="token" value="${token}">
<button type="submit">${stop.button}</button>
</form>
`;
  return personPage(language, { title: stop.title, text: stop.text(newAddress) }, form);
}

export function stoppedPage(language: Language): string {
  return personPage(language, changeEmailTexts[language].stopped);
}
