import { type Alerts, localTime, momentOf } from '@casewatch/contracts';
import { dayAfter, minuteOf } from '../domain/local-time.ts';

/** The digest of a day, until when it can be sent. */
export type DigestDay = { readonly day: string; readonly until: Date };

/**
 * The day whose digest is due now on the clocks of the zone, from `digest_at` to midnight; null: none is. A time that the clocks leave out
 * is due when they have passed it, and one that they show twice at the first: the day has one digest, whatever clocks do.
 */
export function dueDigest(
  { digest, digest_at }: Pick<Alerts, 'digest' | 'digest_at'>,
  now: Date,
  timeZone: string,
): DigestDay | null {
  if (digest === 'off') return null;
  const { day, minute } = localTime(now, timeZone);
  if (minute < minuteOf(digest_at) || (digest === 'weekdays' && isWeekend(day))) return null;
  return { day, until: momentOf({ day: dayAfter(day, 1), minute: 0 }, timeZone) };
}

function isWeekend(day: string): boolean {
  return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
}

/** One row for each member and day, whoever makes it. */
export function digestId(staffId: number, day: string): string {
  return `staff:${staffId}:digest:${day}`;
}
