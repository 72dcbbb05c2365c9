import type { ReplyInput } from '@casewatch/contracts';
import { databaseTime } from '@casewatch/platform/database';
import type { SharedContext } from '../context.ts';
import type { Capacity } from '../domain/capacity.ts';
import type { Quantiles } from '../domain/quantiles.ts';

/** A sender without a heartbeat for this long is gone, ms: its lease and one heartbeat. */
const silentMs = 20_000;

export async function readStatus(ctx: SharedContext): Promise<ReplyInput<'monitor.status'>> {
  const [control, use, now] = await Promise.all([
    ctx.stores.control.read(),
    ctx.readQuotaUse(),
    databaseTime(ctx.db),
  ]);
  const { sender_seen_at, upstream, paused_at } = control;
  const isSending = sender_seen_at !== null && now.getTime() - sender_seen_at.getTime() < silentMs;
  const [stats, capacity] = [ctx.planner.stats(), ctx.planner.capacity()];
  return {
    upstream: isSending ? upstream : 'unreachable',
    sending: isSending,
    paused: paused_at !== null,
    freshness: presentIntervals(stats?.ages ?? null),
    overdue_receipts: stats?.overdue ?? null,
    capacity: capacity && presentCapacity(capacity),
    planned_interval: presentIntervals(capacity?.planned ?? null),
    real_interval: presentIntervals(capacity?.real ?? null),
    accepts_new_cases: ctx.planner.acceptsNewCases(),
    watched_receipts: capacity?.watched_receipts ?? 0,
    used_today: use.interactive.used + use.background.used,
    daily_budget: ctx.config.USCIS_DAILY_BUDGET,
    as_of: (sender_seen_at ?? now).toISOString(),
  };
}

function presentCapacity(capacity: Capacity): ReplyInput<'monitor.status'>['capacity'] {
  return {
    needed_per_day: Math.ceil(capacity.needed_per_day),
    available_per_day: Math.floor(capacity.available_per_day),
    // For readers of the former schedule: days between two checks, at least 1.
    stretch: Math.max(1, Math.round((capacity.planned?.p50 ?? 0) / 864) / 100),
    room: capacity.room,
    by_class: capacity.by_class.map((row) => ({ ...row, needed_per_day: Math.ceil(row.needed_per_day) })),
  };
}

function presentIntervals(intervals: Quantiles | null) {
  return intervals && { p50_seconds: Math.round(intervals.p50), p95_seconds: Math.round(intervals.p95) };
}
