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
const dayMs = 24 * 60 * minuteMs;
const weekMs = 7 * dayMs;

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

/** Time until USCIS opens, ms, in steps of five minutes; 0 while it is open. */
export function msUntilOpen(hours: Hours | null, at: Date): number {
  return hours === null ? 0 : Math.max(0, opensAtMs(hours, at) - at.getTime());
}

const openings = new WeakMap<Hours, { minute: number; opensMs: number }>();

/** Once a minute: local time is slow to work out, and a sender asks many times a second. */
function opensAtMs(hours: Hours, at: Date): number {
  const minute = Math.floor(at.getTime() / minuteMs);
  const known = openings.get(hours);
  if (known?.minute === minute) return known.opensMs;
  const opensMs = isInHours(hours, at) ? minute * minuteMs : searchOpening(hours, at.getTime());
  openings.set(hours, { minute, opensMs });
  return opensMs;
}

function searchOpening(hours: Hours, atMs: number): number {
  const nextStepMs = Math.floor(atMs / stepMs + 1) * stepMs;
  for (let ms = nextStepMs; ms <= atMs + weekMs + dayMs; ms += stepMs)
    if (isInHours(hours, new Date(ms))) return ms;
  return atMs + dayMs;
}

function isInHours(hours: Hours, at: Date): boolean {
  const { day, minute } = localTime(at, hours.zone);
  const daysIn = (hours.lastDay - hours.firstDay + 7) % 7;
  if ((day - hours.firstDay + 7) % 7 > daysIn) return false;
  const { opensMinute, closesMinute } = hours;
  return opensMinute <= closesMinute
    ? minute >= opensMinute && minute < closesMinute
    : minute >= opensMinute || minute < closesMinute;
}

export function openMsBetween(hours: Hours | null, from: Date, to: Date): number {
  const ms = Math.max(0, to.getTime() - from.getTime());
  if (hours === null) return ms;
  let open = 0;
  for (let at = 0; at < ms; at += stepMs) {
    if (isInHours(hours, new Date(from.getTime() + at))) open += Math.min(stepMs, ms - at);
  }
  return open;
}

/** The moment before `now` by `openMs` of opening time, in steps of five minutes. */
export function openMomentBefore(hours: Hours | null, now: Date, openMs: number): Date {
  const openAWeekMs = openMsBetween(hours, new Date(now.getTime() - weekMs), now);
  if (hours === null || openAWeekMs === 0) return new Date(now.getTime() - openMs);
  // All weeks are equal, so whole weeks need no steps.
  const weeks = Math.floor(openMs / openAWeekMs);
  let at = now.getTime() - weeks * weekMs;
  for (let remainingMs = openMs - weeks * openAWeekMs; remainingMs > 0; at -= stepMs) {
    if (isInHours(hours, new Date(at))) remainingMs -= stepMs;
  }
  return new Date(at);
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
