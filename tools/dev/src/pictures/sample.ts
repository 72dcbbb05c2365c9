import type { Language } from '@casewatch/contracts';

/** A mail or a page with made-up content. Its picture is in one language; the tests look at all. */
export type Sample = {
  /** File name of the picture, without scheme and ending. */
  name: string;
  /** When people see it. */
  purpose: string;
  language: Language;
  html(language: Language): string;
};
