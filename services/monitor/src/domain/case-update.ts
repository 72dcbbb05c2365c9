import { type Change, isSameTitle } from './classify-change.ts';
import type { Receipt, Watch } from './receipt.ts';

export type CaseUpdate = Change & { watch: Watch; previous_status_code: string | null };

/** What a case knows of its receipt. */
export type LastUpdate = Pick<Watch, 'last_observation' | 'last_facts_hash' | 'last_status_code'>;

export const noUpdate: LastUpdate = { last_observation: 0, last_facts_hash: null, last_status_code: null };

/** What a case knows that got the present state of its receipt. */
export function knownFrom({ observation, facts, facts_hash }: Receipt): LastUpdate {
  return {
    last_observation: observation,
    last_facts_hash: facts_hash,
    last_status_code: facts?.status_code ?? null,
  };
}

/** The first state of a case: a status for users who wait after a 404, else a baseline. */
export function firstUpdate(watch: Watch, kind: 'status' | 'baseline'): CaseUpdate {
  const skip_reason = kind === 'baseline' ? 'baseline' : null;
  return { watch, kind, skip_reason, previous_status_code: null };
}

/** The change between the state that a case knows and the present one; null if the case is up to date. */
export function missedUpdate(watch: Watch, receipt: Receipt, lastKnown: LastUpdate): CaseUpdate | null {
  const { facts, facts_hash, observation, past } = receipt;
  const { last_facts_hash, last_observation, last_status_code } = lastKnown;
  const isUpToDate =
    last_facts_hash === null || last_facts_hash === facts_hash || last_observation >= observation;
  if (isUpToDate || facts === null) return null;
  const knownState = past.find((state) => state.observation === last_observation);
  const previous = last_status_code ?? knownState?.status_code ?? null;
  const kind = previous !== null && isSameTitle(previous, facts.status_code) ? 'details' : 'status';
  return { watch, kind, skip_reason: null, previous_status_code: previous };
}
