import type { HistoryEntry } from '@casewatch/contracts';
import { contentOf, isSameContent, isSameTitle, partsOf } from './case-content.ts';
import { classifyChange, isSameFacts, newsOf } from './classify-change.ts';
import { historyKnown } from './history.ts';
import type { Answer, SeenAnswer } from './outcome.ts';
import { spanishSourceOf } from './parse-case-status.ts';
import type { Change, Held, Receipt } from './receipt.ts';
import {
  confirmReturn,
  isPermanentlyNotFound,
  isRejectedAgain,
  type ScheduleParams,
  scheduleNext,
} from './schedule.ts';

/** `holdsDetails`: too many receipts change in the same way (monitor.md, brake). */
export type DecideParams = ScheduleParams & { holdsDetails: boolean };

export type Decision = NonNullable<ReturnType<typeof decideAnswer>>;

const maxPastStates = 16;

/** The change that an answer makes to its receipt; null if the answer is out of date or says nothing. */
export function decideAnswer(before: Receipt, answer: Answer, params: DecideParams) {
  const { sent, checkedAt: at } = answer;
  if (sent <= before.sent) return null;
  // USCIS knew the receipt: the failure is theirs.
  if (answer.outcome === 'rejected' && before.facts_hash !== null) return null;
  const checked = { ...before, sent, last_checked: at, failures: 0, overdue_since: null };
  const after =
    answer.outcome === 'seen' ? afterSeen(checked, answer, params) : afterRefusal(checked, answer, params);
  const { receipt, change, isTouch } = after;
  // The end of an overdue period changes the monitoring state too.
  const isStateChanged = receipt.state !== before.state || before.overdue_since !== null;
  const isForCases =
    isStateChanged ||
    change !== null ||
    isTouch ||
    receipt.not_found !== before.not_found ||
    receipt.rejections !== before.rejections ||
    // A receipt made from the memory of a case has a hash, but no facts.
    (before.facts === null && receipt.facts !== null);
  // Other typography is stored, because the last answer is the one that is shown, and is no change.
  const isMaterial = isForCases || JSON.stringify(receipt.facts) !== JSON.stringify(before.facts);
  const state_since = isStateChanged ? at : receipt.state_since;
  const revision = before.revision + (isMaterial ? 1 : 0);
  return {
    ...after,
    receipt: { ...receipt, state_since, revision, ...scheduleNext(receipt, at, params) } satisfies Receipt,
    isStateChanged,
    /** Its cases get something. */
    isForCases,
    /** More changes than the time of the check: the write is a transaction with a new revision. */
    isMaterial,
  };
}

/**
 * `isConfirmation`: the change confirms a state that was recorded before. Only users who do not know it are notified.
 * `isNew`: the change is a state that has no status update yet. `isTouch`: USCIS moved `modified_date` and nothing else.
 */
type After = {
  receipt: Receipt;
  change: Change | null;
  isConfirmation: boolean;
  isNew: boolean;
  isTouch: boolean;
  /** What the history says that was not known. */
  new_history: HistoryEntry[];
};

function afterSeen(before: Receipt, answer: SeenAnswer, params: DecideParams): After {
  const { seen, hashes, checkedAt: at } = answer;
  const { facts, spanish } = seen;
  const { facts_hash } = hashes;
  const isSame = before.facts !== null && isSameContent(before.facts, facts);
  const isConfirmation = isSame && confirmReturn(before, at, params);
  const change: Change | null = isConfirmation
    ? { kind: 'flap', skip_reason: null }
    : classifyChange(before, answer, params.holdsDetails);
  const isOther = !isSameFacts(before, answer);
  const observation = before.observation + (change ? 1 : 0);
  const parts = partsOf(facts);
  const state =
    change && isOther ? [{ ...contentOf(facts), ...change, observation, facts_hash, at, parts }] : [];
  const isNew = change !== null && (isOther || !isConfirmation);
  const isMoved = before.facts !== null && before.facts.modified_date !== facts.modified_date;
  const isTouch = isMoved && !isNew;
  const isOpen = !isSame && change !== null;
  const receipt: Receipt = {
    ...before,
    ...hashes,
    facts,
    spanish_source: spanishSourceOf(spanish),
    observation,
    since: isOther || !before.since ? at : before.since,
    past: [...before.past, ...state].slice(-maxPastStates),
    state: 'watched',
    not_found: null,
    rejections: null,
    title_modified_date: titleModifiedDate(before, answer),
    known_history: historyKnown(historyKnown(before.known_history, before.facts), facts),
    touched_at: isTouch ? touchedAt(before, answer) : isNew ? null : before.touched_at,
    ...(isOpen && { returned_at: change.kind === 'flap' ? at : null, held: heldAfter(before, change, at) }),
    ...(isConfirmation && { returned_at: null, held: null }),
  };
  const new_history = isOther ? newsOf(before, answer) : [];
  return { receipt, change, isConfirmation, isNew, isTouch, new_history };
}

function heldAfter(before: Receipt, { skip_reason }: Change, at: Date): Held | null {
  const told = before.held?.told ?? (before.facts && contentOf(before.facts));
  return skip_reason === 'held' && told ? { at: before.held?.at ?? at, told } : null;
}

/** The earliest one that was seen with this title: USCIS moves the date without a change that people can see. */
function titleModifiedDate(before: Receipt, { seen: { facts } }: SeenAnswer): string | null {
  const former = before.facts;
  const isSame = former && isSameTitle(former.status_code, facts.status_code);
  const first = isSame ? (before.title_modified_date ?? former.modified_date) : null;
  return [first, facts.modified_date].filter((date) => date !== null).toSorted()[0] ?? null;
}

/**
 * The date that USCIS shows now, if it can be the time of this move: after the date before it, and not in the future.
 * Otherwise the time of the check. Never goes back.
 */
function touchedAt({ facts, touched_at }: Receipt, { seen, checkedAt: at }: SeenAnswer): Date {
  const before = Date.parse(facts?.modified_date ?? '');
  const now = Date.parse(seen.facts.modified_date ?? '');
  const movedAt = now > (Number.isNaN(before) ? 0 : before) && now <= at.getTime() ? now : at.getTime();
  return new Date(Math.max(movedAt, touched_at?.getTime() ?? 0));
}

type Refusal = Exclude<Answer, SeenAnswer>;

function afterRefusal(before: Receipt, answer: Refusal, params: ScheduleParams): After {
  const { outcome, message, checkedAt: at } = answer;
  const refused = (change: Partial<Receipt>) => ({
    receipt: { ...before, ...change },
    change: null,
    isConfirmation: false,
    isNew: false,
    isTouch: false,
    new_history: [],
  });
  if (outcome === 'rejected') {
    const state = isRejectedAgain(before, at, params) ? 'rejected' : before.state;
    return refused({ state, not_found: null, rejections: before.rejections ?? { first_at: at } });
  }
  const { first_at, count } = before.not_found ?? { first_at: at, count: 0 };
  const not_found = { first_at, last_at: at, count: count + 1, message };
  const isPermanent = before.state === 'not_found' || isPermanentlyNotFound(not_found, at, params);
  return refused({ not_found, rejections: null, state: isPermanent ? 'not_found' : 'watched' });
}
