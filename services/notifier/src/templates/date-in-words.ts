import type { Language } from '@casewatch/contracts';

const locales: Record<Language, string> = { en: 'en-US', es: 'es-US', pt: 'pt-BR' };

/** USCIS and most of its users are in the United States; its offices name this zone. */
const easternTime: Record<Language, string> = {
  en: 'Eastern Time',
  es: 'hora del Este',
  pt: 'horário do Leste dos EUA',
};

/** For engineers of partners, for example `November 21, 2026 at 15:04 UTC`. */
export function dateInWords(time: Date, language: Language): string {
  const parts = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC', hourCycle: 'h23' } as const;
  return `${new Intl.DateTimeFormat(locales[language], parts).format(time)} UTC`;
}

/** For people, for example `November 21, 2026 at 10:04 AM (Eastern Time)`. */
export function localTimeInWords(time: Date, language: Language): string {
  const parts = { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/New_York' } as const;
  const words = new Intl.DateTimeFormat(locales[language], parts).format(time);
  // Intl puts a narrow space before AM, which some fonts of mail programs do not have.
  return `${words.replaceAll('\u202f', '\u00a0')} (${easternTime[language]})`;
}

/** `day` as `YYYY-MM-DD`, for example `February 12, 2027`. */
export function dayInWords(day: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(day),
  );
}
