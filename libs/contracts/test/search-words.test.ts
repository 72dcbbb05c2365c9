import { addressWords, queryWords, searchWords } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';

/** Whether each word of the query is the beginning of a stored word: what the stores ask of their indexes. */
const finds = (q: string, stored: readonly string[]) => {
  const words = queryWords(q);
  return (
    words.length > 0 && words.every((ways) => ways.some((word) => stored.some((own) => own.startsWith(word))))
  );
};

describe('words of a search', () => {
  it.each([
    ['jose', 'José Ramírez'],
    ['JOSÉ', 'jose ramirez'],
    ['muñ', 'Ana Munoz'],
    ['mun', 'Ana Muñoz'],
    // The accent as a character of its own.
    ['jose\u0301', 'José'],
    ['silva ana', 'Ana Silva'],
    ['sil an', 'Ana Silva'],
    ['lopez', 'Eva García-López'],
    ['garcia-l', 'Eva García-López'],
    ['obrien', "Pat O'Brien"],
    ['o’brien', "Pat O'Brien"],
    // What keyboards have in place of an apostrophe.
    ['obrien', 'Pat O‘Brien'],
    ['obrien', 'Pat O´Brien'],
    ['kaiulani', 'Kaʻiulani'],
    ['(bia)', 'Ana (Bia) Costa'],
    ['silva,ana', 'Ana Silva'],
    ['ana', 'Silva,Ana'],
    ['soren', 'Søren Kjær'],
    ['kjaer', 'Søren Kjær'],
    ['strasse', 'Straße'],
    ['2024-1', '2024-118'],
    ['118', '2024-118/A'],
    ['eac99', 'EAC9999103403'],
    ['flow0001', 'FLOW0001042'],
    ['王', '王 小明'],
    ['小明', '王小明'],
    ['王小明', '王小明'],
    ['明', '王小明 (Wang Xiaoming)'],
    ['たろう', 'やまだたろう'],
    ['철수', '김철수'],
    ['garcia-lopez', 'Eva Garcia Lopez'],
    ['garcía-lóp', 'Eva García López'],
    ['garcia lopez', 'Eva García-López'],
    ['lopez garcia', 'Eva García-López'],
    ['garcia‐lopez', 'Eva García–López'],
    ['2024/118', '2024-118'],
    ['2024-118', '2024/118'],
    ['2024/1', '2024.118'],
    ['2024-118', 'Matter 2024 118'],
    ['2024 118', '2024/118'],
    ['118/a', '2024-118/A'],
    ["o'brien", "Pat O'Brien"],
    ["o'brien", 'Pat O Brien'],
    ["o'brien", 'Pat OBrien'],
    ['o’brien pat', "Pat O'Brien"],
    ['brien', "Pat O'Brien"],
    ["d'angelo", 'Ana D’Angelo'],
    ['angelo', 'Ana D’Angelo'],
  ])('%s finds %s', (q, text) => {
    expect(finds(q, searchWords([text]))).toBe(true);
  });

  it.each([
    ['ose', 'José'],
    ['ana silva maria', 'Ana Silva'],
    ['2024-12', '2024-118'],
    ['2024/12', '2024-118, 12 months'],
    ['garcia-lopez', 'Lopez Garcia'],
    ['garcia-lopez', 'Garcia Ana Lopez'],
    ['明小', '王小明'],
    ["o'brian", "Pat O'Brien"],
    ['.*', 'anything'],
    ['', 'anything'],
    ['---', 'a---b'],
  ])('%s does not find %s', (q, text) => {
    expect(finds(q, searchWords([text]))).toBe(false);
  });

  it('finds an address by its beginning, its parts and its domain, and nobody by the end that all have', () => {
    const words = addressWords('Ana.Silva+visa@Mail.Example.com');
    for (const q of ['ana.silva+visa@mail.example.com', 'silva', 'visa@mail', 'mail.ex'])
      expect([q, finds(q, words)]).toEqual([q, true]);
    for (const q of ['com', 'example.com']) expect([q, finds(q, words)]).toEqual([q, false]);
  });

  it('stores a bounded number of bounded words, whatever the text', () => {
    const words = searchWords(['a.'.repeat(127), `${'x'.repeat(255)}`, Array(60).fill('y').join(' ')]);
    expect(words.length).toBeLessThanOrEqual(100);
    for (const word of words) expect(word.length).toBeLessThanOrEqual(64);
    expect(finds('x'.repeat(255), searchWords(['x'.repeat(255)]))).toBe(true);
  });
});
