const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of the government's quota that a moment belongs to, `YYYY-MM-DD` in the quota's time zone. */
export function quotaDay(at: Date, zone: string): string {
  const format = formats.get(zone) ?? dayFormat(zone);
  formats.set(zone, format);
  return format.format(at);
}

/** Milliseconds until the quota's next day begins, to the second, rounded up. */
export function msUntilNextDay(at: Date, zone: string): number {
  const today = quotaDay(at, zone);
  let low = 0;
  // A day has at most 25 hours, where the clocks are put back.
  let high = 26 * 60 * 60;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (quotaDay(new Date(at.getTime() + middle * 1_000), zone) === today) low = middle;
    else high = middle;
  }
  return high * 1_000;
}

/** en-CA writes dates as YYYY-MM-DD. */
function dayFormat(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
}
