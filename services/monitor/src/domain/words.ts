import { matchStatus, normaliseTitle, withoutInvisible } from '@casewatch/contracts';

// Apostrophes, also those that people type instead.
const apostrophes = /['’‘‛ʼ′`´]/g;
// Symbols that say something, unlike quotes, dashes and stops: $5 is not 5%.
const symbols = /[\p{Sc}%‰§&+=<>/#@°]/gu;
const other = /[^\p{L}\p{M}\p{N}\p{Sc}%‰§&+=<>/#@°]+/gu;

/**
 * The words, numbers and symbols of a text, in lower case: two texts with the same ones differ in typography alone, which
 * USCIS changes without saying anything new (monitor.md, "What counts as a change").
 */
export function wordsOf(text: string): string {
  return withoutInvisible(text.replace(apostrophes, '').normalize('NFKC'))
    .toLowerCase()
    .replace(symbols, ' $& ')
    .replace(other, ' ')
    .trim();
}

/** Titles that are aliases of one another are the same title. */
export function titleKey(title: string): string {
  return matchStatus(title).knownStatus?.code ?? normaliseTitle(title);
}
