import { errorCatalogue, type ReplyInput } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { CheckResult } from '../domain/outcome.ts';
import type { Receipt } from '../domain/receipt.ts';

type Reply = ReplyInput<'monitor.check'>;

/** `status_update_id`: for the first status update of a case that is created from the reply. */
type View = { source: 'live' | 'cache'; at: Date; status_update_id: number };

export type LiveAnswer = { checked: CheckResult; receipt: Receipt | null };

/** @throws ApiError uscis_unavailable if the outcome says nothing about the receipt */
export function presentLive({ checked, receipt }: LiveAnswer, status_update_id: number): Reply {
  const { outcome, checkedAt: at } = checked;
  const checked_at = at.toISOString();
  switch (outcome) {
    case 'seen':
    case 'unreadable':
      if (!receipt) return { outcome: 'unreadable', checked_at };
      return presentReceipt(receipt, { source: 'live', at, status_update_id });
    case 'not_found':
    case 'rejected':
      return { outcome, message: checked.message, checked_at };
    default: {
      const waitMs = outcome === 'rate_limited' ? 60_000 : 30_000;
      throw unavailable(outcome, checked.retryAfterMs ?? waitMs, checked.message);
    }
  }
}

/** `at`: if the time of the check is unknown. */
export function presentReceipt(receipt: Receipt, { source, at, status_update_id }: View): Reply {
  const checked_at = (receipt.last_checked ?? at).toISOString();
  const { facts, facts_hash, observation, not_found, title_modified_date, spanish_source, touched_at } =
    receipt;
  if (not_found) return { outcome: 'not_found', message: not_found.message, checked_at };
  if (!facts || facts_hash === null) return { outcome: 'unreadable', checked_at };
  const touched = touched_at?.toISOString() ?? null;
  const state = { facts, title_modified_date, facts_hash, observation, spanish_source, touched_at: touched };
  return { outcome: 'seen', ...state, status_update_id, checked_at, source };
}

/** `said`: the sentence of USCIS, which the caller gets. */
export function unavailable(detail: string, waitMs: number, said?: string | null): ApiError {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = said && `${errorCatalogue.uscis_unavailable.message} USCIS says: ${said}`;
  return new ApiError('uscis_unavailable', { detail, retryAfterS, ...(message && { message }) });
}
