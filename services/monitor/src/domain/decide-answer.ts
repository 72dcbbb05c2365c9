import { type Change, classifyChange, isSameTitle } from './classify-change.ts';
import type { Hashes } from './hashes.ts';
import type { Seen } from './parse-case-status.ts';
import type { PastState, Receipt, Watch } from './receipt.ts';
import { isNotFoundForGood, type Pacing, pollClassOf, turnOf } from './schedule.ts';

/** An answer about the receipt itself, of whichever lane. `sent` is its request's place in the order of sending. */
export type Answer = { sent: number; checkedAt: Date } & (
  | { kind: 'seen'; seen: Seen; hashes: Hashes }
  | { kind: 'not_found'; message: string | null }
  | { kind: 'rejected' }
);

/** One case to be told of (or to store) what was seen. */
export type Telling = Change & { watch: Watch; previous_status_code: string | null };

export type Decision = {
  receipt: Receipt;
  tellings: Telling[];
  /** Whether every watching case is to hear of the receipt's new state. */
  isNewState: boolean;
  /** Whether more changes than when it was checked: then the write is a transaction with a new revision. */
  isMaterial: boolean;
};

const statesKept = 16;

/** The one rule by which an answer changes a receipt; null if a later request's answer was recorded already. */
export function decideAnswer(
  before: Receipt,
  watches: readonly Watch[],
  answer: Answer,
  pacing: Pacing,
): Decision | null {
  if (answer.sent <= before.sent) return null;
  const checked = {
    ...before,
    sent: answer.sent,
    last_checked: answer.checkedAt,
    failures: 0,
    overdue_since: null,
  };
  const { receipt, change } =
    answer.kind === 'seen'
      ? afterSeen(checked, answer)
      : { receipt: afterRefusal(checked, answer, pacing), change: null };
  // Being checked again after too long is news of the same kind.
  const isNewState = receipt.state !== before.state || before.overdue_since !== null;
  const tellings = answer.kind === 'seen' ? tellingsOf(before, receipt, change, watches) : [];
  const isMaterial =
    isNewState ||
    change !== null ||
    tellings.length > 0 ||
    receipt.not_found !== before.not_found ||
    restored(before, receipt);
  return {
    receipt: {
      ...receipt,
      state_since: isNewState ? answer.checkedAt : receipt.state_since,
      revision: isMaterial ? before.revision + 1 : before.revision,
      ...turnOf(receipt, answer.checkedAt, pacing),
    },
    tellings,
    isNewState,
    isMaterial,
  };
}

type SeenAnswer = Extract<Answer, { kind: 'seen' }>;

function afterSeen(before: Receipt, answer: SeenAnswer): { receipt: Receipt; change: Change | null } {
  const { facts } = answer.seen;
  const change = classifyChange(before, facts, answer.hashes, answer.checkedAt);
  const isOther = before.facts_hash !== answer.hashes.facts_hash;
  const observation = change ? before.observation + 1 : before.observation;
  const state: PastState | null =
    change && isOther
      ? {
          observation,
          facts_hash: answer.hashes.facts_hash,
          status_code: facts.status_code,
          at: answer.checkedAt,
          ...change,
        }
      : null;
  const receipt: Receipt = {
    ...before,
    ...answer.hashes,
    facts,
    observation,
    since: isOther || !before.since ? answer.checkedAt : before.since,
    past: state ? [...before.past, state].slice(-statesKept) : before.past,
    poll_class: pollClassOf(facts),
    state: 'watched',
    not_found: null,
  };
  return { receipt, change };
}

function afterRefusal(before: Receipt, answer: Exclude<Answer, SeenAnswer>, { scale }: Pacing): Receipt {
  if (answer.kind === 'rejected') return { ...before, state: 'rejected', not_found: null };
  const not_found = {
    first_at: before.not_found?.first_at ?? answer.checkedAt,
    last_at: answer.checkedAt,
    count: (before.not_found?.count ?? 0) + 1,
    message: answer.message,
  };
  const isForGood = before.state === 'not_found' || isNotFoundForGood(not_found, answer.checkedAt, scale);
  return { ...before, not_found, state: isForGood ? 'not_found' : 'watched' };
}

/** Those who wait for a first state get it; the others get what changed, unless they know it already. */
function tellingsOf(
  before: Receipt,
  after: Receipt,
  change: Change | null,
  watches: readonly Watch[],
): Telling[] {
  return watches.flatMap((watch): Telling[] => {
    if (watch.awaits) {
      const skip_reason = watch.awaits === 'baseline' ? 'baseline' : null;
      const kind = watch.awaits === 'baseline' ? 'baseline' : 'status';
      return [{ watch, kind, skip_reason, previous_status_code: null }];
    }
    if (!change) return overlooked(watch, after);
    const knowsIt = change.kind !== 'translation' && watch.last_facts_hash === after.facts_hash;
    if (knowsIt) return [];
    return [
      { watch, ...change, previous_status_code: watch.last_status_code ?? before.facts?.status_code ?? null },
    ];
  });
}

/**
 * A case that began to watch while the government said 404 was shown nothing: what changed since its baseline, it
 * hears of when there is something to be seen again.
 */
function overlooked(watch: Watch, { facts, facts_hash, observation, past }: Receipt): Telling[] {
  const { last_facts_hash, last_observation } = watch;
  const knowsIt =
    last_facts_hash === null || last_facts_hash === facts_hash || last_observation >= observation;
  if (knowsIt || facts === null) return [];
  const remembered = past.find((state) => state.observation === last_observation);
  const previous = watch.last_status_code ?? remembered?.status_code ?? null;
  const kind = previous !== null && isSameTitle(previous, facts.status_code) ? 'details' : 'status';
  return [{ watch, kind, skip_reason: null, previous_status_code: previous }];
}

/** A receipt that was made of a case's memory alone has its hash, but not yet the words. */
function restored(before: Receipt, after: Receipt): boolean {
  return before.facts === null && after.facts !== null;
}
