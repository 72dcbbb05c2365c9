import { isTimeZone } from '@casewatch/contracts';

/** Opening hours of USCIS, in minutes of the local day. The days may wrap: sat-mon. */
export type Hours = NonNullable<ReturnType<typeof parseHours>>;

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const minuteMs = 60_000;
const stepMs = 5 * minuteMs;
const dayMinutes = 24 * 60;

// "mon-fri 07:00-20:00 America/New_York": a day or a range of days, opening and closing time, a time zone.
const pattern =
  /^(sun|mon|tue|wed|thu|fri|sat)(?:-(sun|mon|tue|wed|thu|fri|sat))? ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d) (\S+)$/;

const weekdayAndTime = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

export function parseHours(text: string) {
  const match = pattern.exec(text);
  if (!match) return null;
  const [, first = '', last = first, fromHour, fromMinute, toHour, toMinute, timeZone = ''] = match;
  const opensMinute = Number(fromHour) * 60 + Number(fromMinute);
  const closesMinute = Number(toHour) * 60 + Number(toMinute);
  if (!isTimeZone(timeZone) || opensMinute >= closesMinute) return null;
  const firstDay = days.indexOf(first);
  const openDays = ((days.indexOf(last) - firstDay + 7) % 7) + 1;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, ...weekdayAndTime });
  return { firstDay, openDays, opensMinute, closesMinute, format };
}

/** Days with opening hours in a week, and the opening time of such a day, ms. */
export function openTimeOf(hours: Hours | null): { openDays: number; openMs: number } {
  if (hours === null) return { openDays: 7, openMs: dayMinutes * minuteMs };
  return { openDays: hours.openDays, openMs: (hours.closesMinute - hours.opensMinute) * minuteMs };
}

/** Time until USCIS opens, ms; 0 while it is open. A change to or from daylight saving time meanwhile does not count. */
export function msUntilOpen(hours: Hours | null, at: Date): number {
  if (isOpen(hours, at) || hours === null) return 0;
  const { day, minute } = localTime(hours, at);
  let days = minute < hours.opensMinute ? 0 : 1;
  while (!isOnDay(hours, day + days)) days++;
  const minutes = days * dayMinutes + hours.opensMinute - minute;
  return minutes * minuteMs - (at.getTime() % minuteMs);
}

export function isOpen(hours: Hours | null, at: Date): boolean {
  if (hours === null) return true;
  const { day, minute } = localTime(hours, at);
  return isOnDay(hours, day) && minute >= hours.opensMinute && minute < hours.closesMinute;
}

function isOnDay({ firstDay, openDays }: Hours, day: number): boolean {
  return (day - firstDay + 7) % 7 < openDays;
}

/** Opening time, ms, in steps of five minutes. */
export function openMsBetween(hours: Hours | null, from: Date, to: Date): number {
  const ms = Math.max(0, to.getTime() - from.getTime());
  if (hours === null) return ms;
  let open = 0;
  for (let at = 0; at < ms; at += stepMs)
    if (isOpen(hours, new Date(from.getTime() + at))) open += Math.min(stepMs, ms - at);
  return open;
}

function localTime({ format }: Hours, at: Date): { day: number; minute: number } {
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: days.indexOf((parts.weekday ?? '').toLowerCase()),
    minute: Number(parts.hour) * 60 + Number(parts.minute),
  };
}
