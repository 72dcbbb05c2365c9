/** Most words that are stored of one object; and most characters of a word, and of a word with those that follow it. */
const maxWords = 100;
const maxLength = 64;
const withFollowing = 32;

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
 * The words by which a search finds these texts (firm.md §3), folded: without case, accents and apostrophes, each with what follows
 * it, and with one space for whatever stands between them. So `garcia-lopez` finds `García-López` and `Garcia Lopez`, and
 * `2024/118` finds `2024-118`; `lopez` and `118` find them too. Each character of a script that is written without spaces begins a word.
 */
export function searchWords(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) =>
    withoutApostrophes(text).flatMap((plain) => wordsOf(chunksOf(plain))),
  );
  return [...new Set(words)].slice(0, maxWords);
}

/** The words of an e-mail address: as `searchWords`, but of the domain only the whole, because nearly all of them end alike. */
export function addressWords(address: string): string[] {
  const [chunk = ''] = partsOf(address.replaceAll(apostrophe, ''));
  const domain = partsOf(address.slice(address.lastIndexOf('@') + 1)).join();
  const ends = startsIn(chunk).map((start) => chunk.slice(start));
  return [...new Set(ends.filter((end) => end.length >= domain.length))];
}

/** What a search looks for: each word in the ways in which it may be stored, of which one is the beginning of a stored word. Empty: no letter and no digit. */
export function queryWords(q: string): string[][] {
  const typed = q.split(between).map((word) => [...new Set(withoutApostrophes(word).flatMap(partsOf))]);
  const ways = typed.filter(([first]) => first !== undefined);
  return [...new Map(ways.map((way) => [way.join(), way])).values()];
}

/** What separates words, whatever stands before and after it. */
const between = /[\s,;]+/;
/** `´` is typed in place of an apostrophe; taken apart by Unicode, it would be a space. */
const apostrophe = /['‘’ʻʼ`´]/g;

/** `O'Brien` is found by `obrien`, by `o'brien` and by `brien`. */
function withoutApostrophes(text: string): string[] {
  return [...new Set([text.replaceAll(apostrophe, ''), text.replaceAll(apostrophe, '-')])];
}

function fold(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[øłđðıßæœþ]/g, (letter) => plainLetters[letter] ?? letter)
      // Puts the letters of a Korean syllable together again.
      .normalize('NFC')
  );
}

function chunksOf(text: string): string[] {
  return fold(text).split(between).flatMap(partsOf);
}

/** Letters and digits of a word, one space in place of other signs; none if it has only signs. */
function partsOf(word: string): string[] {
  const parts = fold(word).match(/[\p{L}\p{N}]+/gu);
  return parts ? [parts.join(' ').slice(0, maxLength)] : [];
}

/** Where words begin: after a space, and at each character of a script without spaces. */
function startsIn(chunk: string): number[] {
  const starts =
    /(?<![\p{L}\p{N}])[\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;
  return [...chunk.matchAll(starts)].map(({ index }) => index);
}

/** From each start the rest of its chunk, and some of what follows that. */
function wordsOf(chunks: readonly string[]): string[] {
  return chunks.flatMap((chunk, i) => {
    const rest = chunks.slice(i, i + withFollowing).join(' ');
    return startsIn(chunk).map((start) => rest.slice(start, Math.max(chunk.length, start + withFollowing)));
  });
}
