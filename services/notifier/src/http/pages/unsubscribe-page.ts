import type { Channel, Language } from '@casewatch/contracts';
import { html, personPage } from '@casewatch/platform';
import { unsubscribeTexts } from './unsubscribe-texts.ts';

export function confirmPage(language: Language, channel: Channel, token: string): string {
  const { confirm } = unsubscribeTexts[language][channel];
  // A relative address keeps the path of the public address. The field is from RFC 8058 §3.2.
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
