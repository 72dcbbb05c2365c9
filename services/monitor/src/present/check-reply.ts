import type { ReplyInput } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { Checked } from '../sending/sender.ts';

type Reply = ReplyInput<'monitor.check'>;

/** What the government just said, and the receipt as it is now. */
export type Live = { checked: Checked; receipt: Receipt | null };

/** @throws ApiError uscis_unavailable where nothing was said about the receipt */
export async function replyFromLive(ctx: Context, { checked, receipt }: Live): Promise<Reply> {
  const { outcome } = checked;
  const checked_at = checked.checkedAt.toISOString();
  switch (outcome.outcome) {
    case 'seen':
      return receipt ? await replyFromReceipt(ctx, receipt, 'live') : { outcome: 'unreadable', checked_at };
    case 'not_found':
    case 'rejected':
      return { outcome: outcome.outcome, message: outcome.message, checked_at };
    case 'unreadable':
      return { outcome: 'unreadable', checked_at };
    case 'rate_limited':
      throw unavailable('rate limited', 60_000);
    default:
      throw unavailable(outcome.outcome, 30_000);
  }
}

/** The receipt as it is stored; a fresh id for the first StatusUpdate of a case that is made of it. */
export async function replyFromReceipt(
  ctx: Context,
  receipt: Receipt,
  source: 'live' | 'cache',
): Promise<Reply> {
  const checked_at = (receipt.last_checked ?? ctx.clock.now()).toISOString();
  const { facts, facts_hash, observation, not_found } = receipt;
  if (not_found) return { outcome: 'not_found', message: not_found.message, checked_at };
  if (!facts || facts_hash === null) return { outcome: 'unreadable', checked_at };
  const status_update_id = await ctx.ids.next('status_update');
  return { outcome: 'seen', facts, facts_hash, observation, status_update_id, checked_at, source };
}

export function unavailable(detail: string, waitMs: number): ApiError {
  return new ApiError('uscis_unavailable', { detail, retryAfterS: Math.max(1, Math.ceil(waitMs / 1_000)) });
}
