// White space, of any kind, and dashes (Unicode class Pd): a phone makes a long dash of two short ones.
const separators = /[\s\p{Pd}]/gu;

/** The code of a mail as people type or paste it into a form: they part the digits as the mail or their keyboard does. */
export function typedCode(text: unknown): string {
  return String(text ?? '').replace(separators, '');
}
