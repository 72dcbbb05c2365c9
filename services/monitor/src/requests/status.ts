import type { ReplyInput } from '@casewatch/contracts';
import type { Context } from '../context.ts';
import { quotaDay } from '../domain/quota-day.ts';

/** A sender that has said nothing for this long does not send, ms: its lease and a heartbeat. */
const silentMs = 20_000;

/** Answers `monitor.status`: any replica can, the one that sends has left word in the store. */
export function answerStatus(ctx: Context) {
  return async (): Promise<ReplyInput<'monitor.status'>> => {
    const now = ctx.clock.now();
    const { used, upstream, sender_seen_at } = await ctx.stores.budget.read(
      quotaDay(now, ctx.config.USCIS_QUOTA_RESET_TZ),
    );
    const isSending = sender_seen_at !== null && now.getTime() - sender_seen_at.getTime() < silentMs;
    return {
      upstream: isSending ? upstream : 'unreachable',
      sending: isSending,
      watched_receipts: await ctx.stores.receipts.countWatched(),
      used_today: used,
      daily_budget: ctx.config.USCIS_DAILY_BUDGET,
      as_of: (sender_seen_at ?? now).toISOString(),
    };
  };
}
