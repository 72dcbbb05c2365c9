import { type Hours, isOpen } from './hours.ts';
import { baseIntervalMs, dayMs } from './schedule.ts';
import { type ScheduleClass, scheduleClasses } from './schedule-class.ts';
import { type Stretch, stretchFor } from './stretch.ts';

/** Watched receipts by class. */
export type ClassCounts = Record<ScheduleClass, number>;

/** Need against quota, as `GET /v1/status` and the operator see it (monitor.md, Schedule). Checks are per day. */
export type Capacity = {
  watched_receipts: number;
  needed_per_day: number;
  available_per_day: number;
  stretch: Stretch;
  /** Receipts of the present mix that can be added before intervals are stretched; 0 where they are. */
  room: number;
  by_class: { class: ScheduleClass; receipts: number; interval_s: number; needed_per_day: number }[];
};

type Limits = {
  /** Factor on intervals (MONITOR_INTERVAL_SCALE). */
  scale: number;
  availablePerDay: number;
  /** From here on new cases are refused (MONITOR_MAX_STRETCH). */
  maxStretch: number;
};

/** Retries, and checks of receipts that begin to be watched, come on top of the plan: so much of it is kept for them. */
const reserve = 0.05;
const stepMs = 15 * 60 * 1_000;

/** What the watched receipts need, what there is, and what follows. */
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
  /** What is left to the schedule after the interactive lane's share of the day (monitor.md, Budget). */
  share: number;
};

/** Checks that the schedule may make on an average day: of the quota, or what the rate allows in the opening hours. */
export function availablePerDay({ dailyBudget, ratePerSecond, margin, hours, share }: Upstream): number {
  const days = Array.from({ length: 7 }, (_, day) => {
    const byRate = openSecondsOf(hours, day) * ratePerSecond * (1 - margin);
    return Math.min(dailyBudget * share, byRate);
  });
  return days.reduce((sum, checks) => sum + checks, 0) / days.length;
}

/** Of one day of some week (UTC): the average over a week is what counts. */
function openSecondsOf(hours: Hours | null, day: number): number {
  if (hours === null) return dayMs / 1_000;
  const steps = Array.from({ length: dayMs / stepMs }, (_, i) => day * dayMs + i * stepMs);
  return (steps.filter((ms) => isOpen(hours, new Date(ms))).length * stepMs) / 1_000;
}
