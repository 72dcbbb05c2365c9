import { type Content, contentOf, isSameTitle } from './case-content.ts';
import type { Change, LastUpdate, Shown, Watch } from './receipt.ts';

export type CaseUpdate = Change & { watch: Watch; previous_status_code: string | null };

export const noUpdate: LastUpdate = {
  last_observation: 0,
  last_facts_hash: null,
  last_status_code: null,
  last_told: null,
};

/** What a case knows after an update to the present state. A return and a held change are not told yet: `told` stays. */
export function knownAfter(shown: Shown, update: Change | null, told: Content | null): LastUpdate {
  const { observation, facts, facts_hash } = shown;
  const isOpen = update?.skip_reason === 'flap' || update?.skip_reason === 'held';
  return {
    last_observation: observation,
    last_facts_hash: facts_hash,
    last_status_code: facts?.status_code ?? null,
    last_told: isOpen || !facts ? told : contentOf(facts),
  };
}

/** The first state of a case: a status for users who wait after a 404, else a baseline. */
export function firstUpdate(watch: Watch, kind: 'status' | 'baseline'): CaseUpdate {
  const skip_reason = kind === 'baseline' ? 'baseline' : null;
  return { watch, kind, skip_reason, previous_status_code: null };
}

/** The change between the state that a case knows and the present one; null if the case is up to date. */
export function missedUpdate(watch: Watch, shown: Shown): CaseUpdate | null {
  const { facts, facts_hash, observation, past } = shown;
  const { last_facts_hash, last_observation, last_status_code, last_told = null } = watch;
  const isUpToDate =
    last_facts_hash === null || last_facts_hash === facts_hash || last_observation >= observation;
  if (isUpToDate || facts === null) return null;
  const knownState = past.find((state) => state.observation === last_observation);
  const previous = last_told?.status_code ?? last_status_code ?? knownState?.status_code ?? null;
  const isDetails = previous !== null && isSameTitle(previous, facts.status_code);
  const skip_reason = skipOfMissed(shown, last_told, isDetails);
  return { watch, kind: isDetails ? 'details' : 'status', skip_reason, previous_status_code: previous };
}

function skipOfMissed(shown: Shown, told: Content | null, isDetails: boolean): Change['skip_reason'] {
  if (shown.facts && told?.content_hash === contentOf(shown.facts).content_hash) return 'no_content_change';
  if (shown.returned_at) return 'flap';
  return shown.held && isDetails ? 'held' : null;
}
