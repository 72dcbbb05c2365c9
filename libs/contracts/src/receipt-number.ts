/** Why a text is no receipt number. `letter_o`: the letter O for the digit 0, or the reverse. `masked`: a * hides a digit. */
export type ReceiptFault = 'letter_o' | 'masked' | 'other';

export type ReceiptReading = { receipt: string; fault: null } | { receipt: null; fault: ReceiptFault };

/** Words before a number that was copied with its label from a notice, a page or a table, in three languages. */
const label =
  /^(?:(?:receipt|recibo|case|caso|numbers?|n[uú]mero|num|no|nr|de|do|del|your|su|seu|uscis)\b[\s\p{P}\p{S}]*)+/iu;

/**
 * Reads a receipt number as people paste it (specification §2): three letters and ten digits, in upper case. Ignores spaces,
 * dashes of every kind, characters of no width, a label before it and punctuation around it. Compatible forms of letters and
 * digits count as the plain ones (NFKC). Nothing is guessed: a letter O for a zero is a fault with a sentence of its own.
 */
export function readReceiptNumber(text: string): ReceiptReading {
  const words = text
    .normalize('NFKC')
    // Cc: tabs, line ends and other control characters. Z: spaces.
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    // Cf: no width. Pd: dashes. U+2212: the minus sign.
    .replace(/[\p{Cf}\p{Pd}\u2212]/gu, '')
    .replace(/^[\s\p{P}\p{S}]+/u, '');
  const bare = words
    .replace(label, '')
    .replaceAll(' ', '')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}*•]+$/gu, '');
  // Before the letters are upper case, which would make ASCII of ı and ſ.
  if (/^[A-Za-z]{3}\d{10}$/.test(bare)) return { receipt: bare.toUpperCase(), fault: null };
  const isMasked = /^[A-Za-z]{3}[\d*•]{7,10}$/.test(bare) && /[*•]/.test(bare);
  if (isMasked) return { receipt: null, fault: 'masked' };
  if (/^[A-Za-z0]{3}[\dOo]{10}$/.test(bare)) return { receipt: null, fault: 'letter_o' };
  return { receipt: null, fault: 'other' };
}
