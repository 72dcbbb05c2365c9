/** Opening hours of USCIS in a time zone. Both ranges may wrap: sat-mon, 22:00-06:00. */
export type Hours = {
  firstDay: number;
  lastDay: number;
  opensMinute: number;
  closesMinute: number;
  zone: string;
};

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const minuteMs = 60_000;
const stepMs = 5 * minuteMs;
const dayMinutes = 24 * 60;

// "mon-fri 07:00-20:00 America/New_York": a day or a range of days, opening and closing time, a time zone.
const pattern =
  /^(sun|mon|tue|wed|thu|fri|sat)(?:-(sun|mon|tue|wed|thu|fri|sat))? ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d) (\S+)$/;

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

export function isOpen(hours: Hours | null, at: Date): boolean {
  return msUntilOpen(hours, at) === 0;
}

/** Time until USCIS opens, ms; 0 while it is open. A change to or from daylight saving time meanwhile does not count. */
export function msUntilOpen(hours: Hours | null, at: Date): number {
  if (hours === null || isInHours(hours, at)) return 0;
  const { day, minute } = localTime(at, hours.zone);
  const isWrapped = hours.opensMinute > hours.closesMinute;
  for (let days = 0; ; days++) {
    // A day of a wrapped range begins with its hours after midnight.
    const opensMinute = isWrapped && days > 0 ? 0 : hours.opensMinute;
    const minutes = days * dayMinutes + opensMinute - minute;
    if (minutes > 0 && isOnDay(hours, day + days)) return minutes * minuteMs - (at.getTime() % minuteMs);
  }
}

function isOnDay({ firstDay, lastDay }: Hours, day: number): boolean {
  return (day - firstDay + 7) % 7 <= (lastDay - firstDay + 7) % 7;
}

function isInHours(hours: Hours, at: Date): boolean {
  const { day, minute } = localTime(at, hours.zone);
  const { opensMinute, closesMinute } = hours;
  const isAfterOpening = minute >= opensMinute;
  const isBeforeClosing = minute < closesMinute;
  return (
    isOnDay(hours, day) &&
    (opensMinute <= closesMinute ? isAfterOpening && isBeforeClosing : isAfterOpening || isBeforeClosing)
  );
}

/** Opening time, ms, in steps of five minutes. */
export function openMsBetween(hours: Hours | null, from: Date, to: Date): number {
  const ms = Math.max(0, to.getTime() - from.getTime());
  if (hours === null) return ms;
  let open = 0;
  for (let at = 0; at < ms; at += stepMs) {
    if (isInHours(hours, new Date(from.getTime() + at))) open += Math.min(stepMs, ms - at);
  }
  return open;
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return true;
  } catch {
    return false; // A RangeError: Intl does not know the zone.
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();
const weekdayAndTime = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

function localTime(at: Date, timeZone: string): { day: number; minute: number } {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, ...weekdayAndTime });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: days.indexOf((parts.weekday ?? '').toLowerCase()),
    minute: Number(parts.hour) * 60 + Number(parts.minute),
  };
}
