import type { Language } from '@casewatch/contracts';

/** For example `November 21, 2026 at 15:04 UTC`. */
export function dateInWords(time: Date, language: Language): string {
  const locale = { en: 'en-US', es: 'es-US', pt: 'pt-BR' }[language];
  const parts = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC', hourCycle: 'h23' } as const;
  return `${new Intl.DateTimeFormat(locale, parts).format(time)} UTC`;
}
