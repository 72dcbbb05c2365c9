import type { Outcome } from './outcome.ts';

/** What one day's requests came to. `day` is `YYYY-MM-DD` in the quota's time zone. */
export type TrafficDay = {
  day: string;
  requests: number;
  results: Partial<Record<Outcome['outcome'], number>>;
  first_at: Date;
  last_at: Date;
};

export type TrafficPlan = {
  /** Consecutive days that are wanted. */
  days: number;
  per_day: number;
  /** Distance between two requests, ms; null = evenly over what is left of the day. */
  every_ms: number | null;
  started_at: Date;
  stopped_at: Date | null;
};

export type TrafficReport = {
  days: (TrafficDay & { is_complete: boolean })[];
  /** Longest run of complete days without a gap. */
  consecutive: number;
  is_done: boolean;
};

const dayMs = 24 * 60 * 60 * 1_000;
/** Requests that come to nothing are left behind, not made up for at the end of a day. */
const enough = 0.9;
const shortestMs = 1_000;

/** How far the traffic is that production access asks for: days in a row, each with answers and with 4xx. */
export function reportTraffic(plan: TrafficPlan, days: readonly TrafficDay[]): TrafficReport {
  const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  let run = 0;
  let consecutive = 0;
  let previous = '';
  const rows = sorted.map((row) => {
    const is_complete = isComplete(plan, row);
    const follows = previous !== '' && Date.parse(row.day) - Date.parse(previous) === dayMs;
    run = is_complete ? (follows ? run : 0) + 1 : 0;
    consecutive = Math.max(consecutive, run);
    previous = is_complete ? row.day : '';
    return { ...row, is_complete };
  });
  return { days: rows, consecutive, is_done: consecutive >= plan.days };
}

/** How long to wait before the next request of a day, ms; null: the day has all it needs. */
export function waitBeforeNext(plan: TrafficPlan, sentToday: number, openLeftMs: number): number | null {
  const left = plan.per_day - sentToday;
  if (left <= 0) return null;
  return Math.max(plan.every_ms ?? openLeftMs / left, Math.min(plan.every_ms ?? shortestMs, shortestMs));
}

function isComplete({ per_day }: TrafficPlan, { requests, results }: TrafficDay): boolean {
  const refusals = (results.not_found ?? 0) + (results.rejected ?? 0);
  return requests >= per_day * enough && (results.seen ?? 0) > 0 && refusals > 0;
}
