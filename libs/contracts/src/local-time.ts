/** A day of the calendar, and minutes since its midnight, on the clocks of a zone. */
export type LocalTime = { readonly day: string; readonly minute: number };

const minuteMs = 60_000;
/** Before, no zone had changed its clocks: they showed its mean time. A year that is still being typed is far away from both ends. */
const knownFromMs = Date.UTC(1_800, 0, 1);
const knownToMs = Date.UTC(9_000, 0, 1);

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

/** How far the clocks of the zone are ahead of UTC. */
function offsetMs(time: number, timeZone: string): number {
  const at = Math.min(Math.max(time, knownFromMs), knownToMs);
  const { day, minute } = localTime(new Date(at), timeZone);
  return Date.parse(`${day}T00:00:00Z`) + minute * minuteMs - Math.floor(at / minuteMs) * minuteMs;
}
