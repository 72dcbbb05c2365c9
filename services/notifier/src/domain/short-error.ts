/** Longest `last_error` (notifier.md, What the interface's fields mean). */
const maxLength = 300;

/** Characters of the text that are read. The expressions below take time by the square of its length. */
const maxRead = 1_000;

/**
 * `code: short text` that may be shown to a partner. Servers quote addresses, numbers and links in their answers; they
 * are taken out here, whatever the server says.
 */
export function shortError(code: string, text: string): string {
  const safe = beginningOf(text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    // Links, which may carry a token.
    .replace(/\bhttps?:\/\/\S+/gi, '[link]')
    // Anything with an @ between non-spaces: an address, with or without angle brackets.
    .replace(/<?[^\s<>]*@[^\s<>]+>?/g, '[address]')
    // Six or more digits, also grouped by spaces, dashes, brackets, or as 202.555.0123: a phone, a receipt number, a
    // code. Not by other dots: 5.7.1 is a reason (RFC 3463).
    .replace(/(?:\d{3}\.){2}\d{4}|\+?\(?\d(?:[\s()-]{0,2}\d){5,}/g, '[number]')
    .replace(/\s+/g, ' ')
    .trim();
  return `${code}: ${safe === '' ? 'no reason given' : safe}`.slice(0, maxLength);
}

/** Whole words only: half an address has no @ any more and would stay. */
function beginningOf(text: string): string {
  if (text.length <= maxRead) return text;
  const cut = text.slice(0, maxRead);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 0));
}
