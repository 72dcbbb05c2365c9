import type { ReplyInput } from '@casewatch/contracts';
import type { Capacity } from '../domain/capacity.ts';
import type { QuotaUse } from '../domain/quota.ts';
import type { Census } from '../store/census.ts';
import type { Control } from '../store/upstream-control.ts';

type Reply = ReplyInput<'monitor.status'>;

type Status = {
  control: Control;
  isSending: boolean;
  quota: QuotaUse;
  /** Null before the first census. */
  census: Census | null;
  capacity: Capacity | null;
  acceptsNewCases: boolean;
  dailyBudget: number;
  now: Date;
};

/** The reply to `monitor.status`. */
export function presentStatus({
  control,
  isSending,
  quota,
  census,
  capacity,
  now,
  ...status
}: Status): Reply {
  return {
    upstream: isSending ? control.upstream : 'unreachable',
    sending: isSending,
    paused: control.paused_at !== null,
    freshness: presentFreshness(census),
    overdue_receipts: census?.overdue ?? null,
    capacity: capacity && presentCapacity(capacity),
    accepts_new_cases: status.acceptsNewCases,
    watched_receipts: capacity?.watched_receipts ?? 0,
    used_today: quota.interactive.used + quota.background.used,
    daily_budget: status.dailyBudget,
    as_of: (control.sender_seen_at ?? now).toISOString(),
  };
}

function presentFreshness(census: Census | null): Reply['freshness'] {
  const ages = census?.ages.all;
  return ages ? { p50_seconds: Math.round(ages.p50), p95_seconds: Math.round(ages.p95) } : null;
}

function presentCapacity(capacity: Capacity): Reply['capacity'] {
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
