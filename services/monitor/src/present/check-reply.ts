import type { ReplyInput } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Checked } from '../domain/outcome.ts';
import type { Receipt } from '../domain/receipt.ts';

type Reply = ReplyInput<'monitor.check'>;

/** What the government just said, and the receipt as it is now. */
export type Live = { checked: Checked; receipt: Receipt | null };

type View = {
  source: 'live' | 'cache';
  now: Date;
  /** An id for the first StatusUpdate of a case that is made of the reply. */
  newUpdateId(): Promise<number>;
};

/** @throws ApiError uscis_unavailable where nothing was said about the receipt */
export async function presentLive({ checked, receipt }: Live, view: Omit<View, 'source'>): Promise<Reply> {
  const { outcome } = checked;
  const checked_at = checked.checkedAt.toISOString();
  switch (outcome.outcome) {
    case 'seen':
      if (!receipt) return { outcome: 'unreadable', checked_at };
      return await presentReceipt(receipt, { ...view, source: 'live' });
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

/** The receipt as it is stored. */
export async function presentReceipt(receipt: Receipt, { source, now, newUpdateId }: View): Promise<Reply> {
  const checked_at = (receipt.last_checked ?? now).toISOString();
  const { facts, facts_hash, observation, not_found } = receipt;
  if (not_found) return { outcome: 'not_found', message: not_found.message, checked_at };
  if (!facts || facts_hash === null) return { outcome: 'unreadable', checked_at };
  const status_update_id = await newUpdateId();
  return { outcome: 'seen', facts, facts_hash, observation, status_update_id, checked_at, source };
}

export function unavailable(detail: string, waitMs: number): ApiError {
  return new ApiError('uscis_unavailable', { detail, retryAfterS: Math.max(1, Math.ceil(waitMs / 1_000)) });
}
