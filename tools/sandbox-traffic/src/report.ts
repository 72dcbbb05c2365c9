/** The answers of one day: their number by HTTP status. */
export type Day = { statuses: Record<string, number>; first_at: string; last_at: string };

export type Days = Record<string, Day>;

type Plan = { days: number; perDay: number };

const dayMs = 24 * 60 * 60 * 1_000;
/** Share of the planned requests that makes a day complete. */
const completeShare = 0.9;

export function requestsOf(day: Day | undefined): number {
  return Object.values(day?.statuses ?? {}).reduce((sum, count) => sum + count, 0);
}

/** The longest run of complete days without a gap. */
export function consecutiveDays(plan: Plan, days: Days): number {
  let run = 0;
  let longest = 0;
  let previous = '';
  for (const date of Object.keys(days).sort()) {
    if (!isComplete(plan, days[date])) continue;
    run = Date.parse(date) - Date.parse(previous) === dayMs ? run + 1 : 1;
    longest = Math.max(longest, run);
    previous = date;
  }
  return longest;
}

export function reportLines(plan: Plan, days: Days): string[] {
  const rows = Object.entries(days).map(([date, day]) => {
    const state = isComplete(plan, day) ? 'complete  ' : 'incomplete';
    const statuses = Object.entries(day.statuses).map(([status, count]) => `${status}: ${count}`);
    return `${date}  ${state}  ${requestsOf(day)} requests (${statuses.join(', ')}), ${day.first_at} to ${day.last_at}`;
  });
  return [...rows, `${consecutiveDays(plan, days)} of ${plan.days} consecutive days complete.`];
}

function isComplete({ perDay }: Plan, day: Day | undefined): boolean {
  const { 200: answers = 0, 404: unknown = 0, 422: malformed = 0 } = day?.statuses ?? {};
  return requestsOf(day) >= perDay * completeShare && answers > 0 && unknown + malformed > 0;
}
