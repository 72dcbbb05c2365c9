import type { ReplyInput } from '@casewatch/contracts';
import { databaseTime } from '@casewatch/platform/database';
import type { SharedContext } from '../context.ts';
import type { Quantiles } from '../domain/quantiles.ts';

/** A sender without a heartbeat for this long is gone, ms: its lease and one heartbeat. */
const silentMs = 20_000;

export async function readStatus(ctx: SharedContext): Promise<ReplyInput<'monitor.status'>> {
  const { control: controls } = ctx.stores;
  const [control, use, now] = await Promise.all([controls.read(), ctx.readQuotaUse(), databaseTime(ctx.db)]);
  const { sender_seen_at, upstream, paused_at } = control;
  const isSending = sender_seen_at !== null && now.getTime() - sender_seen_at.getTime() < silentMs;
  const { stats, capacity } = ctx.planner;
  return {
    upstream: isSending ? upstream : 'unreachable',
    sending: isSending,
    paused: paused_at !== null,
    freshness: presentIntervals(stats?.ages),
    overdue_receipts: stats?.overdue ?? null,
    capacity: capacity?.checks ?? null,
    planned_interval: presentIntervals(capacity?.planned),
    real_interval: presentIntervals(capacity?.real),
    accepts_new_cases: ctx.planner.acceptsNewCases(),
    watched_receipts: capacity?.watched_receipts ?? 0,
    used_today: use.interactive.used + use.background.used,
    daily_budget: ctx.config.USCIS_DAILY_BUDGET,
    as_of: (sender_seen_at ?? now).toISOString(),
  };
}

function presentIntervals(intervals: Quantiles | null | undefined) {
  if (!intervals) return null;
  return { p50_seconds: Math.round(intervals.p50), p95_seconds: Math.round(intervals.p95) };
}
