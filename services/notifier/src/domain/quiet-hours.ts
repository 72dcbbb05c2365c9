const minuteMs = 60_000;
const dayMinutes = 24 * 60;

/** Minutes of the day; a period may include midnight. */
export type QuietHours = { readonly from: number; readonly to: number; readonly zone: string };

// HH:MM-HH:MM, each from 00:00 to 23:59
export const quietHoursPattern = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

export function parseQuietHours(text: string | undefined, zone: string): QuietHours | null {
  const parts = quietHoursPattern.exec(text ?? '');
  if (!parts) return null;
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = parts.slice(1).map(Number);
  return { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute, zone };
}

/** The end of the quiet hours that contain `now`; null outside of them. `zone`: of the partner, if it has one. */
export function quietUntil(hours: QuietHours | null, now: Date, zone?: string | null): Date | null {
  if (!hours || hours.from === hours.to) return null;
  const minute = minuteOfDay(now, zone ?? hours.zone);
  const since = (minute - hours.from + dayMinutes) % dayMinutes;
  const length = (hours.to - hours.from + dayMinutes) % dayMinutes;
  if (since >= length) return null;
  const startOfMinute = Math.floor(now.getTime() / minuteMs) * minuteMs;
  return new Date(startOfMinute + (length - since) * minuteMs);
}

function minuteOfDay(now: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const [hour = 0, minute = 0] = format.format(now).split(':').map(Number);
  return hour * 60 + minute;
}
