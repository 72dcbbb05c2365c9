import { type Hours, isOpen } from './hours.ts';
import { baseIntervalMs, dayMs } from './schedule.ts';
import { type ScheduleClass, scheduleClasses } from './schedule-class.ts';
import { type Stretch, stretchFor } from './stretch.ts';

export type ClassCounts = Record<ScheduleClass, number>;

/** Required checks and quota, as `GET /v1/status` shows them (monitor.md, Schedule). */
export type Capacity = {
  watched_receipts: number;
  needed_per_day: number;
  available_per_day: number;
  stretch: Stretch;
  /** Receipts of the present mix that fit in before intervals are stretched. */
  room: number;
  by_class: { class: ScheduleClass; receipts: number; interval_s: number; needed_per_day: number }[];
};

type Limits = {
  scale: number;
  availablePerDay: number;
  maxStretch: number;
};

/** Share of the plan for retries and for receipts whose watch begins. */
const reserve = 0.05;
const stepMs = 15 * 60 * 1_000;

export function capacityOf(counts: ClassCounts, { scale, availablePerDay, maxStretch }: Limits): Capacity {
  const by_class = scheduleClasses.map((name) => {
    const intervalMs = baseIntervalMs(name) * scale;
    const receipts = counts[name];
    return {
      class: name,
      receipts,
      interval_s: intervalMs / 1_000,
      needed_per_day: (receipts * dayMs) / intervalMs,
    };
  });
  const needed = by_class.reduce((sum, row) => sum + row.needed_per_day, 0);
  const hot = by_class.find((row) => row.class === 'hot')?.needed_per_day ?? 0;
  const watched = by_class.reduce((sum, row) => sum + row.receipts, 0);
  const planned = availablePerDay * (1 - reserve);
  const ordinary = dayMs / (baseIntervalMs('normal') * scale);
  const each = watched === 0 ? ordinary : needed / watched;
  return {
    watched_receipts: watched,
    needed_per_day: needed,
    available_per_day: availablePerDay,
    stretch: stretchFor({ hot, others: needed - hot }, planned, maxStretch),
    room: Math.max(0, Math.floor((planned - needed) / each)),
    by_class,
  };
}

type Upstream = {
  dailyBudget: number;
  ratePerSecond: number;
  margin: number;
  hours: Hours | null;
  share: number;
};

/** Scheduled checks on an average day: limited by the quota, or by the rate in the opening hours. */
export function availablePerDay({ dailyBudget, ratePerSecond, margin, hours, share }: Upstream): number {
  const days = Array.from({ length: 7 }, (_, day) => {
    const byRate = openSecondsOf(hours, day) * ratePerSecond * (1 - margin);
    return Math.min(dailyBudget * share, byRate);
  });
  return days.reduce((sum, checks) => sum + checks, 0) / days.length;
}

/** `day`: 0 to 6, a UTC day of a sample week. */
function openSecondsOf(hours: Hours | null, day: number): number {
  if (hours === null) return dayMs / 1_000;
  const steps = Array.from({ length: dayMs / stepMs }, (_, i) => day * dayMs + i * stepMs);
  return (steps.filter((ms) => isOpen(hours, new Date(ms))).length * stepMs) / 1_000;
}
