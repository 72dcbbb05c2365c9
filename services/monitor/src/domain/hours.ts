/** Opening hours of the government's service in its own time zone; both ranges may wrap (sat-mon, 22:00-06:00). */
export type Hours = {
  firstDay: number;
  lastDay: number;
  opensMinute: number;
  closesMinute: number;
  zone: string;
};

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const minuteMs = 60_000;
/** Opening times are looked for in steps of this. */
const stepMs = 5 * minuteMs;
const weekMs = 7 * 24 * 60 * minuteMs;

// "mon-fri 07:00-20:00 America/New_York": a day or a range of days, opening and closing time, a time zone.
const pattern =
  /^(sun|mon|tue|wed|thu|fri|sat)(?:-(sun|mon|tue|wed|thu|fri|sat))? ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d) (\S+)$/;

/** Reads `USCIS_HOURS`; null if it does not look like hours or its time zone is unknown. */
export function parseHours(text: string): Hours | null {
  const match = pattern.exec(text);
  if (!match) return null;
  const [, first = '', last = first, fromHour, fromMinute, toHour, toMinute, zone = ''] = match;
  if (!isTimeZone(zone)) return null;
  return {
    firstDay: days.indexOf(first),
    lastDay: days.indexOf(last),
    opensMinute: Number(fromHour) * 60 + Number(fromMinute),
    closesMinute: Number(toHour) * 60 + Number(toMinute),
    zone,
  };
}

/** Whether the service is open then; null hours are always open. */
export function isOpen(hours: Hours | null, at: Date): boolean {
  if (hours === null) return true;
  const { day, minute } = localTime(at, hours.zone);
  const daysIn = (hours.lastDay - hours.firstDay + 7) % 7;
  if ((day - hours.firstDay + 7) % 7 > daysIn) return false;
  const { opensMinute, closesMinute } = hours;
  return opensMinute <= closesMinute
    ? minute >= opensMinute && minute < closesMinute
    : minute >= opensMinute || minute < closesMinute;
}

/** Milliseconds until the service opens, rounded up to five minutes; 0 while it is open. */
export function msUntilOpen(hours: Hours | null, at: Date): number {
  for (let ms = 0; ms <= 8 * 24 * 60 * minuteMs; ms += stepMs) {
    if (isOpen(hours, new Date(at.getTime() + ms))) return ms;
  }
  return 24 * 60 * minuteMs;
}

/** For how long the service is open between two moments, ms, to five minutes. */
export function openMsBetween(hours: Hours | null, from: Date, to: Date): number {
  const ms = Math.max(0, to.getTime() - from.getTime());
  if (hours === null) return ms;
  let open = 0;
  for (let at = 0; at < ms; at += stepMs) {
    if (isOpen(hours, new Date(from.getTime() + at))) open += Math.min(stepMs, ms - at);
  }
  return open;
}

/** The moment since when the service was open for `openMs` in all, to five minutes; null hours are always open. */
export function openMomentBefore(hours: Hours | null, now: Date, openMs: number): Date {
  const openAWeekMs = hours === null ? weekMs : openMsOfWeekBefore(hours, now);
  if (hours === null || openAWeekMs === 0) return new Date(now.getTime() - openMs);
  // Weeks are alike: whole ones are not walked through.
  const weeks = Math.floor(openMs / openAWeekMs);
  let at = now.getTime() - weeks * weekMs;
  for (let left = openMs - weeks * openAWeekMs; left > 0; at -= stepMs) {
    if (isOpen(hours, new Date(at))) left -= stepMs;
  }
  return new Date(at);
}

function openMsOfWeekBefore(hours: Hours, now: Date): number {
  let steps = 0;
  for (let ms = 0; ms < weekMs; ms += stepMs) if (isOpen(hours, new Date(now.getTime() - ms))) steps += 1;
  return steps * stepMs;
}

/** Whether Intl knows a time zone by this name. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return true;
  } catch {
    // RangeError is the answer.
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function localTime(at: Date, zone: string): { day: number; minute: number } {
  const format = formats.get(zone) ?? weekdayAndTime(zone);
  formats.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: days.indexOf((parts.weekday ?? '').toLowerCase()),
    minute: Number(parts.hour) * 60 + Number(parts.minute),
  };
}

function weekdayAndTime(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}
