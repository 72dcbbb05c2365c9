import { asSpoken, type Language } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';

const locales: Readonly<Record<Language, string>> = { en: 'en-US', es: 'es-US', pt: 'pt-BR' };

/** USCIS and most of its users are in the United States; its offices name this zone. */
export const easternZone = 'America/New_York';
const easternTime: Readonly<Record<Language, string>> = {
  en: 'Eastern Time',
  es: 'hora del Este',
  pt: 'horário do Leste dos EUA',
};

const day = { year: 'numeric', month: 'long', day: 'numeric' } as const;
const moment = { ...day, hour: 'numeric', minute: '2-digit' } as const;

/** `November 21, 2026 at 10:04 AM (Eastern Time)`; in the zone of the browser without a name. */
export function momentInWords(time: string, language: Language, zone: string): Markup {
  const format = new Intl.DateTimeFormat(locales[language], { ...moment, timeZone: zone });
  return html`${timeIn(time, language, format)}${zone === easternZone && html` (${easternTime[language]})`}`;
}

/** `November 21, 2026` */
export function dayInWords(time: string, language: Language, zone: string): Markup {
  return timeIn(time, language, new Intl.DateTimeFormat(locales[language], { ...day, timeZone: zone }));
}

function timeIn(time: string, language: Language, format: Intl.DateTimeFormat): Markup {
  return html`<time datetime="${time}">${asSpoken(format.format(new Date(time)), language)}</time>`;
}

/** The text with a full stop, unless it ends with one: in Spanish a time ends with `p.m.` */
export function sentence(text: Markup): Markup {
  return /\.(<\/time>)?$/.test(text.html) ? text : html`${text}.`;
}
