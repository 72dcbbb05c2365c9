import type { Channel, Language } from '@casewatch/contracts';
import { html, personPage } from '@casewatch/platform';
import { unsubscribeTexts } from './unsubscribe-texts.ts';

/** Asks to press the button; opening the link changes nothing. */
export function confirmPage(language: Language, channel: Channel, token: string): string {
  const { confirm } = unsubscribeTexts[language][channel];
  // The address is this page's own, under whatever path the public address has; the field is that of RFC 8058 §3.2.
  const form = html`<form method="post" action="?token=${encodeURIComponent(token)}">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">${confirm.button}</button>
</form>
`;
  return personPage(language, confirm, form);
}

export function donePage(language: Language, channel: Channel): string {
  return personPage(language, unsubscribeTexts[language][channel].done);
}

export function invalidPage(language: Language): string {
  return personPage(language, unsubscribeTexts[language].invalid);
}
