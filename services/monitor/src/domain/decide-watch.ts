import type { Baseline, CaseReference, FirstCheck } from '@casewatch/contracts';
import { isSameTitle } from './classify-change.ts';
import type { Telling } from './decide-answer.ts';
import { type Receipt, unknownReceipt, type Watch } from './receipt.ts';
import { type Pacing, turnOf } from './schedule.ts';
import { joinedBy } from './watchers.ts';

/** A case that begins to watch, or begins again (`first_check` null: by what its watch remembers). */
export type Beginning = {
  case: CaseReference;
  version: number;
  first_check: FirstCheck | null;
  baseline: Baseline | null;
  at: Date;
};

export type Registration = {
  receipt: Receipt;
  watch: Watch;
  /** What the case missed between its baseline and now. */
  telling: Telling | null;
  /** Whether the receipt is in a state that the case must hear of. */
  isNewState: boolean;
};

/**
 * Watching begins without a gap (architecture.md §4): what the case knows is compared with what the receipt is now,
 * and what it missed is told at once.
 */
export function decideWatch(
  stored: Receipt | null,
  former: Watch | null,
  beginning: Beginning,
  pacing: Pacing,
): Registration {
  const known = knownBy(former, beginning);
  const before = broughtUpTo(stored ?? unknownReceipt(beginning.case.receipt_number), known, beginning);
  const isShown = before.facts !== null && before.not_found === null;
  const watch: Watch = {
    _id: beginning.case.id,
    receipt_number: beginning.case.receipt_number,
    case: beginning.case,
    version: beginning.version,
    active: true,
    last_observation: isShown ? before.observation : (known?.observation ?? 0),
    last_facts_hash: isShown ? before.facts_hash : (known?.facts_hash ?? null),
    last_status_code: isShown ? (before.facts?.status_code ?? null) : (former?.last_status_code ?? null),
    awaits: isShown ? null : awaitsOf(former, beginning),
    deleted_at: null,
  };
  const isNewState = before.state !== 'watched';
  // Also where nobody watched it any more: what was not checked meanwhile was not overdue.
  const isAnew = beginning.first_check !== null || before.watchers === 0;
  const newSince = isAnew ? beginning.at : before.new_since;
  return {
    receipt: {
      ...before,
      revision: before.revision + 1,
      ...joinedBy(beginning.case.id, former, before),
      new_since: newSince,
      ...firstTurn({ ...before, new_since: newSince }, beginning, pacing),
      expires_at: null,
    },
    watch,
    telling: isShown ? missed(before, former, known, { watch, beginning }) : null,
    isNewState,
  };
}

type Known = { observation: number; facts_hash: string };

function knownBy(former: Watch | null, { baseline }: Beginning): Known | null {
  if (baseline) return baseline;
  if (!former?.last_facts_hash) return null;
  return { observation: former.last_observation, facts_hash: former.last_facts_hash };
}

/**
 * The row may have been forgotten since the case saw it (nobody watched): then it goes on from what the case knows,
 * so that observations of a case never run backwards.
 */
function broughtUpTo(receipt: Receipt, known: Known | null, { first_check, at }: Beginning): Receipt {
  const isNotFound = first_check === 'not_found' && receipt.facts === null && receipt.not_found === null;
  if (isNotFound) return { ...receipt, not_found: { first_at: at, last_at: at, count: 1, message: null } };
  if (!known) return receipt;
  if (receipt.facts_hash === null) return { ...receipt, ...known };
  const isOther = receipt.facts_hash !== known.facts_hash;
  return { ...receipt, observation: Math.max(receipt.observation, known.observation + (isOther ? 1 : 0)) };
}

/** What the first state that comes will be: people wait for it after a 404, else it is a baseline. */
function awaitsOf(former: Watch | null, { first_check, baseline }: Beginning): Watch['awaits'] {
  if (baseline || former?.last_facts_hash) return null;
  if (first_check === 'not_found') return 'status';
  return former?.awaits ?? 'baseline';
}

function missed(
  receipt: Receipt,
  former: Watch | null,
  known: Known | null,
  { watch, beginning }: { watch: Watch; beginning: Beginning },
): Telling | null {
  if (!known) {
    const isTold = awaitsOf(former, beginning) === 'status';
    const kind = isTold ? ('status' as const) : ('baseline' as const);
    return { watch, kind, skip_reason: isTold ? null : 'baseline', previous_status_code: null };
  }
  if (receipt.facts_hash === known.facts_hash || receipt.facts === null) return null;
  const remembered = receipt.past.find(({ observation }) => observation === known.observation);
  const previous = former?.last_status_code ?? remembered?.status_code ?? null;
  const isSame = previous !== null && isSameTitle(previous, receipt.facts.status_code);
  return { watch, kind: isSame ? 'details' : 'status', skip_reason: null, previous_status_code: previous };
}

/** At once where nothing is known; else in turn, or sooner if it was due sooner. */
function firstTurn(
  receipt: Receipt,
  { first_check, at }: Beginning,
  pacing: Pacing,
): ReturnType<typeof turnOf> {
  const turn = turnOf(receipt, at, pacing);
  if (turn.next_check_at === null) return turn;
  const isUnknown = first_check === 'deferred' && receipt.last_checked === null;
  if (isUnknown || first_check === null) return { ...turn, next_check_at: at };
  const { watchers, next_check_at: due } = receipt;
  return watchers > 0 && due !== null && due < turn.next_check_at ? { ...turn, next_check_at: due } : turn;
}
