import { withoutInvisible } from '@casewatch/contracts';
import { decode } from 'html-entities';

// Block elements separate words.
const blockTag = /<\/?(?:p|br|div|ul|ol|li|h[1-6]|table|tr|td|th)\b[^<>]*>/gi;
// Other elements: <a href="…">, </strong>. A "<" before a digit or space is no tag.
const inlineTag = /<\/?[a-z][^<>]*>/gi;
// C0 and C1: they break mails, logs and clients.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;

/** One line of words that people can see: no markup, no control characters, nothing that turns the direction of text. */
export function plainText(markup: string | null | undefined): string | null {
  const stripped = (markup ?? '').replace(blockTag, ' ').replace(inlineTag, '');
  const visible = withoutInvisible(decode(stripped).toWellFormed().replace(controlCharacters, ' '));
  const text = visible.replace(/\s+/g, ' ').trim();
  return text === '' ? null : text;
}
