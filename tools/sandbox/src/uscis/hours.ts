import { z } from 'zod';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

// "mon-fri 07:00-20:00 America/New_York": a day or a range of days, opening and closing time, a time zone.
const HOURS =
  /^(sun|mon|tue|wed|thu|fri|sat)(?:-(sun|mon|tue|wed|thu|fri|sat))? ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d) (\S+)$/;

export const hoursSetting = z
  .string()
  .refine(
    (text) => text === '' || parseHours(text) !== null,
    'must look like mon-fri 07:00-20:00 America/New_York',
  )
  .transform((text) => (text === '' ? null : text))
  .nullable();

/** `hours` is a checked setting; null = always open. */
export function isOpen(hours: string | null, at: Date): boolean {
  const window = hours === null ? null : parseHours(hours);
  if (window === null) return true;
  const { day, minute } = localTime(at, window.zone);
  // Both ranges may wrap: sat-mon, 22:00-06:00.
  const daysIn = (window.lastDay - window.firstDay + 7) % 7;
  if ((day - window.firstDay + 7) % 7 > daysIn) return false;
  const { opens, closes } = window;
  return opens <= closes ? minute >= opens && minute < closes : minute >= opens || minute < closes;
}

function parseHours(text: string) {
  const [, first = '', last = first, fromHour, fromMinute, toHour, toMinute, zone = ''] =
    HOURS.exec(text) ?? [];
  if (first === '' || !isTimeZone(zone)) return null;
  return {
    firstDay: DAYS.indexOf(first),
    lastDay: DAYS.indexOf(last),
    opens: Number(fromHour) * 60 + Number(fromMinute),
    closes: Number(toHour) * 60 + Number(toMinute),
    zone,
  };
}

export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }) !== undefined;
  } catch (err) {
    if (err instanceof RangeError) return false;
    throw err;
  }
}

function localTime(at: Date, timeZone: string): { day: number; minute: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = DAYS.indexOf((parts.weekday ?? '').toLowerCase());
  return { day, minute: Number(parts.hour) * 60 + Number(parts.minute) };
}
