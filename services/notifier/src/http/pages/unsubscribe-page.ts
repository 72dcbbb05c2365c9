import type { Channel, Language } from '@casewatch/contracts';
import { html, type Markup, type PageReader, personPage, signInLink } from '@casewatch/platform';
import { unsubscribeTexts } from './unsubscribe-texts.ts';

type ChannelLink = { channel: Channel; token: string };
/** The channel where the person still gets messages. */
type Other = { other: ChannelLink | null };

export function confirmPage(reader: PageReader, { channel, token, other }: ChannelLink & Other): string {
  const { language } = reader;
  const { confirm } = unsubscribeTexts[language][channel];
  const form = stopForm({ channel, token }, language, html``);
  return personPage(reader, confirm, html`${form}${otherChannel(other, language)}`);
}

/** @param path of the page, whose last line is the way on */
export function donePage(
  reader: PageReader,
  { channel, other, path }: { channel: Channel; path: string } & Other,
): string {
  const { language } = reader;
  const { done } = unsubscribeTexts[language][channel];
  return personPage(reader, done, html`${otherChannel(other, language)}${signInLink(language, path)}`);
}

/** @param path of the page */
export function invalidPage(language: Language, path: string): string {
  return personPage(
    { language, brand: null },
    unsubscribeTexts[language].invalid,
    signInLink(language, path),
  );
}

function otherChannel(other: ChannelLink | null, language: Language): Markup | null {
  if (other === null) return null;
  const { title, text } = unsubscribeTexts[language][other.channel].other;
  return html`<h2>${title}</h2>
<p>${text}</p>
${stopForm(other, language, html` class="second"`)}`;
}

function stopForm({ channel, token }: ChannelLink, language: Language, style: Markup): Markup {
  const { button } = unsubscribeTexts[language][channel].confirm;
  // A relative address keeps the path of the public address. The field is from RFC 8058 §3.2.
  return html`<form method="post" action="?token=${encodeURIComponent(token)}">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit"${style}>${button}</button>
</form>
`;
}
