import type { ReplyInput } from '@casewatch/contracts';
import { databaseTime } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { quotaUseOf } from '../sending/quota-use.ts';

type Reply = ReplyInput<'monitor.status'>;
type Sources = Pick<Context, 'config' | 'clock' | 'db' | 'stores' | 'outlook'>;

/** A sender that has said nothing for this long does not send, ms: its lease and a heartbeat. */
const silentMs = 20_000;

/** Answers `monitor.status`: any replica can, the one that sends has left word in the store. */
export function answerStatus(ctx: Sources) {
  return async (): Promise<Reply> => {
    const [control, use, now] = await Promise.all([
      ctx.stores.control.read(),
      quotaUseOf(ctx),
      databaseTime(ctx.db),
    ]);
    const { sender_seen_at, upstream, paused_at } = control;
    const isSending = sender_seen_at !== null && now.getTime() - sender_seen_at.getTime() < silentMs;
    const capacity = ctx.outlook.capacity();
    return {
      upstream: isSending ? upstream : 'unreachable',
      sending: isSending,
      paused: paused_at !== null,
      freshness: freshnessOf(ctx),
      overdue_receipts: ctx.outlook.census()?.overdue ?? null,
      capacity: capacity && presentCapacity(capacity),
      accepts_new_cases: ctx.outlook.acceptsNewCases(),
      watched_receipts: capacity?.watched_receipts ?? 0,
      used_today: use.interactive.used + use.background.used,
      daily_budget: ctx.config.USCIS_DAILY_BUDGET,
      as_of: (sender_seen_at ?? now).toISOString(),
    };
  };
}

function freshnessOf({ outlook }: Sources): Reply['freshness'] {
  const ages = outlook.census()?.ages.all;
  return ages ? { p50_seconds: Math.round(ages.p50), p95_seconds: Math.round(ages.p95) } : null;
}

type Capacity = NonNullable<ReturnType<Context['outlook']['capacity']>>;

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
