import { withoutInvisible } from './match-status.ts';

/** `day`: as it was written, `YYYY-MM-DD`. `at`: ISO 8601 in UTC; a time without a zone is UTC (upstream.md), a day is its midnight. */
export type ServedDate = { day: string; at: string };

/** A date in a text. `day` null: it looks like a date, but is none, or can be read in two ways. `index`: where it begins. */
export type DateInText = { day: string | null; index: number };

// English and Spanish: their first three letters differ only in January, April, August and December.
const monthNames: readonly string[] = [
  ...['jan(?:uary)?|ene(?:ro)?', 'feb(?:ruary|rero)?', 'mar(?:ch|zo)?', 'apr(?:il)?|abr(?:il)?'],
  ...['may(?:o)?', 'june?|junio', 'july?|julio', 'aug(?:ust)?|ago(?:sto)?'],
  ...['sept?(?:ember|iembre)?', 'oct(?:ober|ubre)?', 'nov(?:ember|iembre)?', 'dec(?:ember)?|dic(?:iembre)?'],
];
const months = monthNames.map((name) => new RegExp(`^(?:${name})$`, 'i'));
const month = `(?<month>${monthNames.join('|')})\\.?`;
const dayNumber = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';

const forms = [
  // 2026-11-02
  '(?<year>\\d{4})[-/](?<month>\\d{1,2})[-/](?<day>\\d{1,2})',
  // 11-02-2026, 11/02/2026: the month first. 02.11.2026 and 11/02/26 are dates, but not certain ones.
  '(?<month>\\d{1,2})(?<separator>[-/.])(?<day>\\d{1,2})\\k<separator>(?<year>\\d{4}|\\d{2})',
  // November 2, 2026; Nov. 2nd 2026
  `${month} ${dayNumber},? (?<year>\\d{4})`,
  // 2 November 2026, 2nd of November, 2026, 02-NOV-2026, 2 de noviembre de 2026
  `${dayNumber}(?: of| de)?[- ]${month},?(?: de| del)?[- ](?<year>\\d{4})`,
];
// Not within a longer number or word; "2026-11-02T10:00" goes on with its time.
const anyForm = `(?:${forms.join('|')})(?!\\p{N}|(?!T\\d)\\p{L})`;
const inText = new RegExp(`(?<![\\p{L}\\p{N}])${anyForm}`, 'giu');
const atStart = new RegExp(`^${anyForm}`, 'iu');

/** All dates in a text of the government, in order. */
export function datesIn(text: string): DateInText[] {
  return [...text.replace(/\s/g, ' ').matchAll(inText)].map(({ index, groups }) => ({
    index,
    day: dayOf(groups ?? {}),
  }));
}

function dayOf({
  year = '',
  month = '',
  day = '',
  separator,
}: Record<string, string | undefined>): string | null {
  if (year.length !== 4 || separator === '.') return null;
  const named = months.findIndex((name) => name.test(month)) + 1;
  const text = `${year}-${(named === 0 ? month : String(named)).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const moment = new Date(text);
  // `Date` reads 2026-02-31 as 3 March. A system without a date sends the first or the last year that it knows.
  const isDay = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
  return isDay && isPlausible(moment) ? text : null;
}

const isPlausible = (moment: Date) => moment.getUTCFullYear() >= 1950 && moment.getUTCFullYear() <= 2100;

const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;
// "T14:28:12.000+0000", " 2:28 PM", " 14:28:12 GMT"
const time =
  /^(?:[T ]|, ?)(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?(?: ?(?<half>[ap])\.?m\.?)?(?: ?(?:z|gmt|utc))?(?: ?(?<sign>[-+])(?<zoneHour>\d\d):?(?<zoneMinute>\d\d))?$/i;
// Seconds or milliseconds since 1970; a program may write them as 1.7935776E12.
const epoch = /^\d+(?:\.\d+)?(?:e\d+)?$/i;

/** Reads a date in any form in which the government, or what stands before it, writes dates; null if it is none. */
export function readServedDate(value: unknown): ServedDate | null {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string') return null;
  const text = withoutInvisible(value).replace(/\s+/g, ' ').trim().replace(weekday, '');
  if (epoch.test(text)) return fromEpoch(Number(text));
  const date = atStart.exec(text);
  const day = date && dayOf(date.groups ?? {});
  if (!date || day === null) return null;
  const rest = text.slice(date[0].length);
  const msOfDay = rest === '' ? 0 : msOf(time.exec(rest)?.groups);
  return msOfDay === null ? null : { day, at: new Date(Date.parse(day) + msOfDay).toISOString() };
}

const minuteMs = 60_000;

/** Milliseconds from the midnight in UTC; null if there is no such time. */
function msOf(groups: Record<string, string | undefined> | undefined): number | null {
  if (!groups) return null;
  const { half, sign, fraction = '0' } = groups;
  const [hour, minute, second, zoneHour, zoneMinute] = [
    'hour',
    'minute',
    'second',
    'zoneHour',
    'zoneMinute',
  ].map((name) => Number(groups[name] ?? 0)) as [number, number, number, number, number];
  const isClock = half ? hour >= 1 && hour <= 12 : hour <= 23;
  if (!isClock || minute > 59 || second > 59 || zoneHour > 14 || zoneMinute > 59) return null;
  const hours = half ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour;
  const zoneMinutes = (zoneHour * 60 + zoneMinute) * (sign === '-' ? -1 : 1);
  const ms = Math.floor(Number(`0.${fraction}`) * 1_000);
  return (hours * 60 + minute - zoneMinutes) * minuteMs + second * 1_000 + ms;
}

/** A number above this one is of milliseconds: as seconds it would be the year 5138. */
const maxSeconds = 1e11;
/** A smaller number of seconds (before 1973) is no date of a case. */
const minSeconds = 1e8;

function fromEpoch(value: number): ServedDate | null {
  const moment = new Date(Math.round(value >= maxSeconds ? value : value * 1_000));
  if (value < minSeconds || Number.isNaN(moment.getTime()) || !isPlausible(moment)) return null;
  const at = moment.toISOString();
  return { day: at.slice(0, 10), at };
}
