import type { ReplyInput } from '@casewatch/contracts';
import type { Capacity } from '../domain/capacity.ts';
import type { ScheduleStats } from '../store/schedule-stats.ts';

type Reply = ReplyInput<'monitor.status'>;

/** Null if no receipt was checked. */
export function presentFreshness(stats: ScheduleStats | null): Reply['freshness'] {
  const ages = stats?.ages.all;
  return ages ? { p50_seconds: Math.round(ages.p50), p95_seconds: Math.round(ages.p95) } : null;
}

export function presentCapacity(capacity: Capacity): Reply['capacity'] {
  const { needed_per_day, available_per_day, stretch, room, by_class } = capacity;
  return {
    needed_per_day: Math.ceil(needed_per_day),
    available_per_day: Math.floor(available_per_day),
    stretch: Math.round(stretch.others * 100) / 100,
    room,
    by_class: by_class.map((row) => ({
      class: row.class,
      receipts: row.receipts,
      needed_per_day: Math.ceil(row.needed_per_day),
    })),
  };
}
