import { localTime, momentOf } from '@casewatch/contracts';

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

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
