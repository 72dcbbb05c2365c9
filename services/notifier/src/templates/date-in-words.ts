import { asSpoken, type Language } from '@casewatch/contracts';

const locales: Record<Language, string> = { en: 'en-US', es: 'es-US', pt: 'pt-BR' };

/** USCIS and most of its users are in the United States; its offices name this zone. */
const easternTime: Record<Language, string> = {
  en: 'Eastern Time',
  es: 'hora del Este',
  pt: 'horário do Leste dos EUA',
};

const long = { dateStyle: 'long' } as const;
const dayFormats = formatsOf({ ...long, timeZone: 'UTC' });
const utcFormats = formatsOf({ ...long, timeStyle: 'short', timeZone: 'UTC', hourCycle: 'h23' });
const localFormats = formatsOf({ ...long, timeStyle: 'short', timeZone: 'America/New_York' });

/** Once for all mails: a format takes longer to create than the rest of a mail. */
function formatsOf(parts: Intl.DateTimeFormatOptions): Record<Language, Intl.DateTimeFormat> {
  const formatOf = (language: Language) => new Intl.DateTimeFormat(locales[language], parts);
  return { en: formatOf('en'), es: formatOf('es'), pt: formatOf('pt') };
}

/** For engineers of partners, for example `November 21, 2026 at 15:04 UTC`. */
export function dateInWords(time: Date, language: Language): string {
  return `${asSpoken(utcFormats[language].format(time), language)} UTC`;
}

/** For people, for example `November 21, 2026 at 10:04 AM (Eastern Time)`. */
export function localTimeInWords(time: Date, language: Language): string {
  const words = asSpoken(localFormats[language].format(time), language);
  // Intl puts a narrow space before AM, which some fonts of mail programs do not have.
  return `${words.replaceAll('\u202f', '\u00a0')} (${easternTime[language]})`;
}

/** `day` as `YYYY-MM-DD`, for example `February 12, 2027`. */
export function dayInWords(day: string, language: Language): string {
  return asSpoken(dayFormats[language].format(new Date(day)), language);
}
