import { type ScheduleClass, scheduleClasses } from './schedule-class.ts';

/** When one watched receipt was checked last; null = never yet. */
export type LastCheck = { schedule_class: ScheduleClass; last_checked: Date | null };

/** Seconds since the last successful check: half of the receipts, 95 % of them, the worst. */
export type Ages = { p50: number; p95: number; max: number };

/** Of all watched receipts and of each class; null where there are none. */
export type CheckAges = { all: Ages | null; by_class: Record<ScheduleClass, Ages | null> };

/** What `checks` (all receipts, or a sample) and `worst` (those due longest) say about how fresh our knowledge is. */
export function checkAges(checks: readonly LastCheck[], worst: readonly LastCheck[], now: Date): CheckAges {
  const agesOf = (rows: readonly LastCheck[]) =>
    rows
      .flatMap(({ last_checked: at }) =>
        at === null ? [] : [Math.max(0, now.getTime() - at.getTime()) / 1_000],
      )
      .sort((a, b) => a - b);
  const agesIn = (name: ScheduleClass) => {
    const isIn = (row: LastCheck) => row.schedule_class === name;
    return summary(agesOf(checks.filter(isIn)), agesOf(worst.filter(isIn)));
  };
  const by_class = Object.fromEntries(scheduleClasses.map((name) => [name, agesIn(name)]));
  return {
    all: summary(agesOf(checks), agesOf(worst)),
    by_class: by_class as CheckAges['by_class'],
  };
}

/** Both ascending. */
function summary(ages: number[], worst: number[]): Ages | null {
  const max = Math.max(ages.at(-1) ?? 0, worst.at(-1) ?? 0);
  if (ages.length === 0) return worst.length === 0 ? null : { p50: max, p95: max, max };
  return { p50: quantile(ages, 0.5), p95: quantile(ages, 0.95), max };
}

/** The least age that this share of the receipts does not exceed. */
function quantile(ages: number[], share: number): number {
  return ages[Math.max(0, Math.ceil(ages.length * share) - 1)] ?? 0;
}
