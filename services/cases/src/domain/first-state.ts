import type { Baseline, CheckReply, FirstCheck } from '@casewatch/contracts';
import { type Observed, toObserved } from './observed.ts';

/** What a new case begins with. */
export type FirstState = {
  first_check: FirstCheck;
  checked_at: Date | null;
  /** The first StatusUpdate, where the government showed something. */
  seen: { baseline: Baseline; observed: Observed } | null;
  /** The sentence for the caller; neutral where nothing is shown: protected cases look like that too. */
  message: string;
};

/** A case whose first check comes later because the caller does not wait for it. */
export const deferredState: FirstState = {
  first_check: 'deferred',
  checked_at: null,
  seen: null,
  message: 'Case created. Its status will be checked soon.',
};

/** What the answer to the first check makes of the case. A refused receipt number makes no case. */
export function firstStateOf(reply: Exclude<CheckReply, { outcome: 'rejected' }>): FirstState {
  const checked_at = new Date(reply.checked_at);
  if (reply.outcome === 'not_found') {
    const message = 'Case created. The government shows no status for it now; it is checked again.';
    return { first_check: 'not_found', checked_at, seen: null, message };
  }
  if (reply.outcome === 'unreadable') {
    const message = "Case created. The government's answer could not be read; it is checked again.";
    return { first_check: 'unreadable', checked_at, seen: null, message };
  }
  const { status_update_id, observation, facts_hash } = reply;
  const seen = { kind: 'baseline', observation, timestamp: reply.checked_at } as const;
  return {
    first_check: 'seen',
    checked_at,
    seen: {
      baseline: { status_update_id, observation, facts_hash },
      observed: toObserved(reply.facts, seen),
    },
    message: 'Case created.',
  };
}
