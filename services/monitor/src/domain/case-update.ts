import type { ChangedPart, HistoryEntry } from '@casewatch/contracts';
import { type Content, changesBetween, contentOf, isSameTitle, partsOf } from './case-content.ts';
import { historyKnown, newEntries } from './history.ts';
import type { Change, GivenUpdate, LastUpdate, Shown, UntoldUpdate, Watch } from './receipt.ts';

export type CaseUpdate = Change & {
  watch: Watch;
  previous_status_code: string | null;
  changes: ChangedPart[];
  /** The entries of the history that the case did not know. */
  new_history: HistoryEntry[];
  /** People are notified of this status update, which the case has got already. */
  again?: UntoldUpdate;
};

export const noUpdate: LastUpdate = {
  last_observation: 0,
  last_facts_hash: null,
  last_status_code: null,
  last_told: null,
  last_parts: null,
  known_history: null,
  last_update: null,
  untold: null,
};

/**
 * What a case knows after an update to the present state, but for the id of the update. `told` stays where nobody is notified:
 * a return and a held change may be told later, and other changes say nothing that people read.
 */
export function knownAfter(
  watch: Pick<LastUpdate, 'known_history'>,
  shown: Shown,
  { update, told }: { update: Change | null; told: Content | null },
): Omit<LastUpdate, 'last_update' | 'untold'> {
  const { observation, facts, facts_hash } = shown;
  const isTold = !isOpen(update) && !(update?.skip_reason === 'no_content_change' && told);
  return {
    last_observation: observation,
    last_facts_hash: facts_hash,
    last_status_code: facts?.status_code ?? null,
    last_told: facts && isTold ? contentOf(facts) : told,
    last_parts: facts && partsOf(facts),
    known_history: historyKnown(watch.known_history ?? [], facts),
  };
}

/** `given`: the update under the id that it gets now, or got before. `lastUpdate`: what the case keeps of it. */
export function givenAs(
  { watch, again, kind, skip_reason, changes, new_history }: CaseUpdate,
  { observation }: Shown,
  { id, at }: { id: number; at: Date },
) {
  if (again) return { given: again, lastUpdate: { untold: null } };
  const given: GivenUpdate = { id, observation, at };
  const isSilent = skip_reason === 'no_content_change';
  const untold: UntoldUpdate | null = isOpen({ kind, skip_reason })
    ? { ...given, kind, changes, new_history }
    : (isSilent && watch.untold) || null;
  return { given, lastUpdate: { last_update: given, untold } };
}

/** People may be notified of it later. */
function isOpen(update: Change | null): boolean {
  return update?.skip_reason === 'flap' || update?.skip_reason === 'held';
}

/** The first state of a case: a status for users who wait after a 404, else a baseline. */
export function firstUpdate(watch: Watch, kind: 'status' | 'baseline'): CaseUpdate {
  const first = { watch, kind, previous_status_code: null, new_history: [] };
  return kind === 'baseline'
    ? { ...first, skip_reason: 'baseline', changes: [] }
    : { ...first, skip_reason: null, changes: ['title', 'text'] };
}

/** What differs from the state that the case got last. Where that is not known, only what its title says. */
export function changesFor(watch: Watch, { facts, past }: Pick<Shown, 'facts' | 'past'>): ChangedPart[] {
  if (facts === null) return [];
  const state = past.find(({ observation }) => observation === watch.last_observation);
  const before = watch.last_parts ?? state?.parts;
  if (before) return changesBetween(before, partsOf(facts));
  const title = watch.last_status_code ?? state?.status_code;
  return title === undefined || isSameTitle(title, facts.status_code) ? [] : ['title'];
}

/** The change between the state that a case knows and the present one; null if the case is up to date. */
export function missedUpdate(watch: Watch, shown: Shown): CaseUpdate | null {
  const { facts, facts_hash, observation, past } = shown;
  const { last_facts_hash, last_observation, last_status_code, last_told } = watch;
  const isUpToDate =
    last_facts_hash === null || last_facts_hash === facts_hash || last_observation >= observation;
  if (isUpToDate || facts === null) return null;
  const knownState = past.find((state) => state.observation === last_observation);
  const previous = last_told?.status_code ?? last_status_code ?? knownState?.status_code ?? null;
  const isDetails = previous !== null && isSameTitle(previous, facts.status_code);
  const new_history = missedEntries(watch, shown);
  const skip_reason = skipOfMissed(shown, { told: last_told, isDetails, isNews: new_history.length > 0 });
  return {
    watch,
    kind: isDetails ? 'details' : 'status',
    skip_reason,
    previous_status_code: previous,
    changes: changesFor(watch, shown),
    new_history,
  };
}

/** Those that the case did not get, as far as it is known what it got. */
function missedEntries({ known_history, last_observation }: Watch, { facts, past }: Shown): HistoryEntry[] {
  if (!facts || !known_history) return [];
  const shown = past.filter(({ observation }) => observation <= last_observation);
  return newEntries(facts, known_history, shown);
}

type Missed = { told: Content | null; isDetails: boolean; isNews: boolean };

function skipOfMissed(shown: Shown, { told, isDetails, isNews }: Missed): Change['skip_reason'] {
  const isTold = shown.facts && told?.content_hash === contentOf(shown.facts).content_hash;
  if (isTold && !isNews) return 'no_content_change';
  if (shown.returned_at) return 'flap';
  return shown.held && isDetails ? 'held' : null;
}
