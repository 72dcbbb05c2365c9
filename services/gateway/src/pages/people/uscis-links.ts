import { html, type Markup } from '@casewatch/platform';

/**
 * An address of USCIS, as its texts have it: `www.uscis.gov/es/cambiodireccion`, with or without https. Nothing may stand before or
 * after the host that would make it another one: `x.uscis.gov.evil.com`, `me@uscis.gov`, `evil.com/uscis.gov`, `uscis.gov:81`.
 * Then the path, without the full stop of the sentence.
 */
const address =
  /(?<![\p{L}\p{N}_.@:/-])(?:https:\/\/)?(?:[a-z0-9-]+\.)*uscis\.gov(?![\p{L}\p{N}_@:-]|\.[\p{L}\p{N}])(?:\/[a-z0-9/_.%=&?#-]*[a-z0-9/_%=#-]|\/)?/giu;

/**
 * The words of USCIS with links, to pages of uscis.gov alone and by https: a text that somebody else changed leads nowhere else. A long
 * address breaks after a slash, never within a word.
 */
export function withUscisLinks(text: string): Markup {
  const parts: Markup[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    const href = `https://${found.replace(/^https:\/\//i, '')}`;
    parts.push(html`${text.slice(end, index)}<a href="${href}">${withBreaks(found)}</a>`);
    end = index + found.length;
  }
  return html`${parts}${text.slice(end)}`;
}

/** Browsers may break after each slash of a path. */
function withBreaks(address: string): Markup {
  const [first = '', ...others] = address.split(/(?<=[^/]\/)(?=[^/])/);
  return html`${first}${others.map((part) => html`<wbr>${part}`)}`;
}
