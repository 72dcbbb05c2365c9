import type { Language } from './fields.ts';

/** ISO 8601 with milliseconds and Z (specification §2); null stays null. */
export function toIso(time: Date): string;
export function toIso(time: Date | null): string | null;
export function toIso(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

/** `YYYY-MM-DD HH:MM:SS`, UTC: GET responses under /v1/client (interface.md §1); null stays null. */
export function toPartnerTime(time: Date): string;
export function toPartnerTime(time: Date | null): string | null;
export function toPartnerTime(time: Date | null): string | null {
  if (time === null) return null;
  const day = `${time.getUTCFullYear()}-${twoDigits(time.getUTCMonth() + 1)}-${twoDigits(time.getUTCDate())}`;
  return `${day} ${twoDigits(time.getUTCHours())}:${twoDigits(time.getUTCMinutes())}:${twoDigits(time.getUTCSeconds())}`;
}

/**
 * A date of Intl in words, as people say it. In Portuguese the first of a month is `1º de janeiro`; in Spanish and
 * Portuguese one o'clock is singular (`a la 1:04 p.m.`, `à 01:04`). Intl knows neither.
 */
export function asSpoken(date: string, language: Language): string {
  if (language === 'es') return date.replace(/\ba las (0?1:)/, 'a la $1');
  // No word boundary before `às`: \b knows ASCII letters only.
  return language === 'pt' ? date.replace(/^1 de /, '1º de ').replace(/ às (0?1:)/, ' à $1') : date;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}
