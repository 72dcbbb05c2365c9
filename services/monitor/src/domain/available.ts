import { dayMs } from './buckets.ts';
import { type Hours, openMsBetween } from './hours.ts';

type Upstream = { dailyBudget: number; ratePerSecond: number; margin: number; hours: Hours | null };

/** Scheduled checks on an average day, by the quota or by the rate in the opening hours. `interactive`: live checks per day. */
export function createAvailable({ dailyBudget, ratePerSecond, margin, hours }: Upstream) {
  // The UTC days of a sample week.
  const openMs = Array.from({ length: 7 }, (_, day) =>
    openMsBetween(hours, new Date(day * dayMs), new Date((day + 1) * dayMs)),
  );
  return (interactive: number): number => {
    const days = openMs.map((ms) =>
      Math.min(dailyBudget - interactive, (ms / 1_000) * ratePerSecond * (1 - margin)),
    );
    return Math.max(0, days.reduce((sum, checks) => sum + checks, 0) / days.length);
  };
}
