import { dayMs } from './buckets.ts';
import { type Hours, isOpen } from './hours.ts';

type Upstream = { dailyBudget: number; ratePerSecond: number; margin: number; hours: Hours | null };

const stepMs = 15 * 60 * 1_000;

/** Scheduled checks on an average day, by the quota or by the rate in the opening hours. `interactive`: live checks per day. */
export function createAvailable({ dailyBudget, ratePerSecond, margin, hours }: Upstream) {
  const openSeconds = Array.from({ length: 7 }, (_, day) => openSecondsOf(hours, day));
  return (interactive: number): number => {
    const days = openSeconds.map((seconds) =>
      Math.min(dailyBudget - interactive, seconds * ratePerSecond * (1 - margin)),
    );
    return Math.max(0, days.reduce((sum, checks) => sum + checks, 0) / days.length);
  };
}

/** `day`: 0 to 6, a UTC day of a sample week. */
function openSecondsOf(hours: Hours | null, day: number): number {
  if (hours === null) return dayMs / 1_000;
  const steps = Array.from({ length: dayMs / stepMs }, (_, i) => day * dayMs + i * stepMs);
  return (steps.filter((ms) => isOpen(hours, new Date(ms))).length * stepMs) / 1_000;
}
