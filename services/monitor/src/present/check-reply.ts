import { errorCatalogue, type ReplyInput } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { CheckResult } from '../domain/outcome.ts';
import type { Receipt } from '../domain/receipt.ts';

type Reply = ReplyInput<'monitor.check'>;

export type LiveAnswer = { checked: CheckResult; receipt: Receipt | null };

type View = {
  source: 'live' | 'cache';
  now: Date;
  /** Id for the first status update of a case created from the reply. */
  newUpdateId(): Promise<number>;
};

/** @throws ApiError uscis_unavailable if the outcome says nothing about the receipt */
export async function presentLive(
  { checked, receipt }: LiveAnswer,
  view: Omit<View, 'source'>,
): Promise<Reply> {
  const { outcome } = checked;
  const checked_at = checked.checkedAt.toISOString();
  switch (outcome.outcome) {
    case 'seen':
    case 'unreadable':
      if (!receipt) return { outcome: 'unreadable', checked_at };
      return await presentReceipt(receipt, { ...view, source: 'live' });
    case 'not_found':
    case 'rejected':
      return { outcome: outcome.outcome, message: outcome.message, checked_at };
    default: {
      const waitMs = outcome.outcome === 'rate_limited' ? 60_000 : 30_000;
      throw unavailable(outcome.outcome, outcome.retryAfterMs ?? waitMs, outcome.message);
    }
  }
}

export async function presentReceipt(receipt: Receipt, { source, now, newUpdateId }: View): Promise<Reply> {
  const checked_at = (receipt.last_checked ?? now).toISOString();
  const { facts, facts_hash, observation, not_found, title_modified_date, spanish_source } = receipt;
  if (not_found) return { outcome: 'not_found', message: not_found.message, checked_at };
  if (!facts || facts_hash === null) return { outcome: 'unreadable', checked_at };
  const status_update_id = await newUpdateId();
  const state = {
    facts,
    title_modified_date,
    facts_hash,
    observation,
    ...(spanish_source && { spanish_source }),
  };
  return { outcome: 'seen', ...state, status_update_id, checked_at, source };
}

/** `said`: the sentence of USCIS, which the caller gets. */
export function unavailable(detail: string, waitMs: number, said?: string | null): ApiError {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = !said ? undefined : `${errorCatalogue.uscis_unavailable.message} USCIS says: ${said}`;
  return new ApiError('uscis_unavailable', { detail, retryAfterS, ...(message && { message }) });
}
