/** Letters that stand for each other in a search: people leave out accents. */
const alike = ['aáàâãäåā', 'cçćč', 'eéèêëēę', 'iíìîïī', 'nñń', 'oóòôõöøō', 'sśšş', 'uúùûüū', 'yýÿ', 'zźžż'];

/** Matches a name that contains the text, whatever its case and accents. */
export function namePattern(text: string): RegExp {
  const letters = [...text.toLowerCase().normalize('NFC')].map((letter) => {
    const group = alike.find((letters) => letters.includes(letter));
    // The characters that have a meaning in a pattern.
    return group ? `[${group}]` : letter.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
  });
  return new RegExp(letters.join(''), 'i');
}
