// Control characters except line feed, and marks that change the direction of text (UAX #9).
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const unwanted = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text of others on one line. */
export function cleanLine(text: string, max = 300): string {
  return truncate(text.replace(unwanted, ' ').replace(/\s+/g, ' ').trim(), max);
}

/** A text of others with its line breaks. */
export function cleanBlock(text: string, max = 5_000): string {
  const lines = text.replace(/\r\n?/g, '\n').replace(unwanted, ' ').split('\n');
  return truncate(
    lines
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    max,
  );
}

// Blocks of Unicode whose letters are written from right to left: Hebrew, Arabic, Syriac and others.
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A clean name for a sentence: one from right to left must not turn the words around it (UAX #9, isolates). */
export function isolated(name: string): string {
  return rightToLeft.test(name) ? `\u2068${name}\u2069` : name;
}

function truncate(text: string, max: number): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.length <= max ? wellFormed : `${wellFormed.slice(0, max - 1).toWellFormed()}…`;
}
