const maxLength = 300;

/** Characters that are read: the expressions below take quadratic time. */
const maxRead = 1_000;

/** `code: short text` without the addresses, numbers and links that a server may quote. */
export function shortError(code: string, text: string): string {
  const safe = truncate(text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    // Links, which may carry a token.
    .replace(/\bhttps?:\/\/\S+/gi, '[link]')
    // Anything with an @ between non-spaces: an address, with or without angle brackets.
    .replace(/<?[^\s<>]*@[^\s<>]+>?/g, '[address]')
    // Six or more digits, also in groups or as 202.555.0123. Not 5.7.1, which is a reason (RFC 3463).
    .replace(/(?:\d{3}\.){2}\d{4}|\+?\(?\d(?:[\s()-]{0,2}\d){5,}/g, '[number]')
    .replace(/\s+/g, ' ')
    .trim();
  return `${code}: ${safe === '' ? 'no reason given' : safe}`.slice(0, maxLength).toWellFormed();
}

/** Cuts between words: half an address has no @ and would stay. */
function truncate(text: string): string {
  if (text.length <= maxRead) return text;
  const cut = text.slice(0, maxRead);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 0));
}
