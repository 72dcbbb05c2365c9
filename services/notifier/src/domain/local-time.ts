/** A day of the calendar, and minutes since its midnight, on the clocks of a zone. */
export type LocalTime = { readonly day: string; readonly minute: number };

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

/** To make one takes longer than to use it a hundred times. There are about 600 zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of the zone show. */
export function localTime(at: Date, timeZone: string): LocalTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const day = ['year', 'month', 'day'].map((name) => parts.get(name as 'year')).join('-');
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}

/**
 * The moment when the clocks of the zone show this time: where they are put forward over it, the moment at which they are; where
 * they show it twice, the first.
 */
export function momentOf({ day, minute }: LocalTime, timeZone: string): Date {
  const shown = Date.parse(`${day}T00:00:00Z`) + minute * minuteMs;
  // No zone is further than 14 hours from UTC; between the two offsets of a change, the earlier moment is the right one.
  const offsets = [shown - 14 * 60 * minuteMs, shown + 14 * 60 * minuteMs].map((at) =>
    offsetMs(at, timeZone),
  );
  const moments = offsets.map((offset) => shown - offset);
  const exact = moments.filter((at) => at + offsetMs(at, timeZone) === shown);
  if (exact.length > 0) return new Date(Math.min(...exact));
  return endOfGap(Math.min(...moments), Math.max(...moments), timeZone);
}

/** `HH:MM` as minutes since midnight. */
export function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

/** The day after `count` days. */
export function dayAfter(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMinutes * minuteMs).toISOString().slice(0, 10);
}

/** Days from one to the other. */
export function daysBetween(from: string, to: string): number {
  return Math.round(
    (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / (dayMinutes * minuteMs),
  );
}

/** The end of the quiet hours that contain `now`, on the clocks of the zone; null outside of them. */
export function quietEnd(
  quietHours: { readonly from: string; readonly to: string } | null,
  now: Date,
  timeZone: string,
): Date | null {
  if (quietHours === null) return null;
  const [from, to] = [minuteOf(quietHours.from), minuteOf(quietHours.to)];
  const { day, minute } = localTime(now, timeZone);
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return null;
  const end = momentOf({ day: minute < to ? day : dayAfter(day, 1), minute: to }, timeZone);
  // In the hour that comes twice, the first end may have passed.
  return end > now ? end : null;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}

function endOfGap(from: number, to: number, timeZone: string): Date {
  const before = offsetMs(from, timeZone);
  let [low, high] = [from, to];
  while (high - low > minuteMs) {
    const middle = Math.floor((low + high) / 2 / minuteMs) * minuteMs;
    if (offsetMs(middle, timeZone) === before) low = middle;
    else high = middle;
  }
  return new Date(high);
}

function offsetMs(at: number, timeZone: string): number {
  const { day, minute } = localTime(new Date(at), timeZone);
  return Date.parse(`${day}T00:00:00Z`) + minute * minuteMs - Math.floor(at / minuteMs) * minuteMs;
}
