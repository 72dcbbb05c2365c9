import type { Baseline, CheckReply, FirstCheck } from '@casewatch/contracts';
import { type Observed, toObserved } from './observed.ts';

export type FirstState = {
  first_check: FirstCheck;
  checked_at: Date | null;
  seen: { baseline: Baseline; observed: Observed } | null;
  /** Sentence for the caller. A protected case gets the same sentence as an unknown one. */
  message: string;
};

export const deferredState: FirstState = {
  first_check: 'deferred',
  checked_at: null,
  seen: null,
  message: 'Case created. Its status will be checked soon.',
};

export function firstStateOf(reply: Exclude<CheckReply, { outcome: 'rejected' }>): FirstState {
  const checked_at = new Date(reply.checked_at);
  if (reply.outcome === 'not_found') {
    const message = 'Case created. USCIS shows no status for it at the moment; it will be checked again.';
    return { first_check: 'not_found', checked_at, seen: null, message };
  }
  if (reply.outcome === 'unreadable') {
    const message = 'Case created. The response of USCIS could not be read; the case will be checked again.';
    return { first_check: 'unreadable', checked_at, seen: null, message };
  }
  const { status_update_id, observation, facts_hash } = reply;
  return {
    first_check: 'seen',
    checked_at,
    seen: {
      baseline: { status_update_id, observation, facts_hash },
      observed: toObserved(reply.facts, firstObservation(reply)),
    },
    message: 'Case created.',
  };
}

/** A checked status is no change. */
export function firstObservation(reply: Extract<CheckReply, { outcome: 'seen' }>) {
  const { observation, checked_at: timestamp, title_modified_date, spanish_source, touched_at } = reply;
  return {
    kind: 'baseline',
    observation,
    timestamp,
    title_modified_date,
    spanish_source,
    touched_at,
  } as const;
}
