import { type ScheduleClass, scheduleClasses } from './schedule-class.ts';

export type LastCheck = { schedule_class: ScheduleClass; last_checked: Date | null };

/** Quantiles of the time since the last successful check, s. */
export type Ages = { p50: number; p95: number; max: number };

export type CheckAges = { all: Ages | null; by_class: Record<ScheduleClass, Ages | null> };

/** `checks`: all receipts, or a sample. `longestDue`: the receipts with the oldest checks, for the maximum. */
export function checkAges(
  checks: readonly LastCheck[],
  longestDue: readonly LastCheck[],
  now: Date,
): CheckAges {
  const agesOf = (rows: readonly LastCheck[]) =>
    rows
      .flatMap(({ last_checked: at }) =>
        at === null ? [] : [Math.max(0, now.getTime() - at.getTime()) / 1_000],
      )
      .sort((a, b) => a - b);
  const agesIn = (name: ScheduleClass) => {
    const isIn = (row: LastCheck) => row.schedule_class === name;
    return summary(agesOf(checks.filter(isIn)), agesOf(longestDue.filter(isIn)));
  };
  const by_class = Object.fromEntries(scheduleClasses.map((name) => [name, agesIn(name)]));
  return {
    all: summary(agesOf(checks), agesOf(longestDue)),
    by_class: by_class as CheckAges['by_class'],
  };
}

function summary(ages: number[], worst: number[]): Ages | null {
  const max = Math.max(ages.at(-1) ?? 0, worst.at(-1) ?? 0);
  if (ages.length === 0) return worst.length === 0 ? null : { p50: max, p95: max, max };
  return { p50: quantile(ages, 0.5), p95: quantile(ages, 0.95), max };
}

function quantile(ages: number[], share: number): number {
  return ages[Math.max(0, Math.ceil(ages.length * share) - 1)] ?? 0;
}
