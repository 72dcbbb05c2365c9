/** Most words that are stored of one object; and most characters of a word. */
const maxWords = 100;
const maxLength = 64;

/** Letters that Unicode does not take apart into a letter and an accent, though people type the letter. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

/**
 * The words by which a search finds these texts (firm.md §3), folded: without case, accents and apostrophes. A word with other signs in
 * it is found by each of its parts and all that follows: `García-López` by `garcia-lopez` and `lopez`, `2024-118` by `118`.
 */
export function searchWords(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => chunksOf(text).flatMap(endsOf));
  return [...new Set(words)].slice(0, maxWords);
}

/** The words of an e-mail address: as `searchWords`, but of the domain only the whole, because nearly all of them end alike. */
export function addressWords(address: string): string[] {
  const [chunk = ''] = chunksOf(address);
  const domain = chunk.slice(chunk.lastIndexOf('@') + 1);
  return [...new Set(endsOf(chunk).filter((word) => word.length >= domain.length))];
}

/** What a search looks for, folded as stored words are: each is the beginning of a word. Empty: no letter and no digit. */
export function queryWords(q: string): string[] {
  return [...new Set(chunksOf(q))];
}

function chunksOf(text: string): string[] {
  const folded = text
    // Typed in place of an apostrophe. Taken apart, it would be a space.
    .replaceAll('´', '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'‘’ʻʼ`]/gu, '')
    .replaceAll(/[øłđðıßæœþ]/g, (letter) => plainLetters[letter] ?? letter);
  // Signs around a word: brackets, quotes, commas.
  const trimmed = folded
    .split(/[\s,;]+/)
    .map((chunk) => chunk.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  return trimmed.filter((chunk) => chunk !== '').map((chunk) => chunk.slice(0, maxLength));
}

/** The whole, and what begins after each sign in it. */
function endsOf(chunk: string): string[] {
  const starts = [...chunk.matchAll(/(?<=[^\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => index);
  return [0, ...starts].map((start) => chunk.slice(start));
}
