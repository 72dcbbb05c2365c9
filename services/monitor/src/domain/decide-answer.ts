import { contentOf, isSameTitle } from './case-content.ts';
import { classifyChange, isSameContent } from './classify-change.ts';
import type { Answer } from './outcome.ts';
import { spanishSourceOf } from './parse-case-status.ts';
import type { Change, PastState, Receipt } from './receipt.ts';
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
  if (answer.sent <= before.sent) return null;
  // USCIS knew the receipt: the failure is theirs.
  if (answer.outcome === 'rejected' && before.facts_hash !== null) return null;
  const checked = {
    ...before,
    sent: answer.sent,
    last_checked: answer.checkedAt,
    failures: 0,
    overdue_since: null,
  };
  const after: After =
    answer.outcome === 'seen'
      ? afterSeen(checked, answer, params)
      : { receipt: afterRefusal(checked, answer, params), change: null, isConfirmation: false };
  const { receipt } = after;
  // The end of an overdue period changes the monitoring state too.
  const isStateChanged = receipt.state !== before.state || before.overdue_since !== null;
  const isMaterial =
    isStateChanged ||
    after.change !== null ||
    receipt.not_found !== before.not_found ||
    receipt.rejections !== before.rejections ||
    // A receipt made from the memory of a case has a hash, but no facts.
    (before.facts === null && receipt.facts !== null);
  return {
    ...after,
    receipt: {
      ...receipt,
      state_since: isStateChanged ? answer.checkedAt : receipt.state_since,
      revision: isMaterial ? before.revision + 1 : before.revision,
      ...scheduleNext(receipt, answer.checkedAt, params),
    } satisfies Receipt,
    isStateChanged,
    /** More changes than the time of the check: the write is a transaction with a new revision. */
    isMaterial,
  };
}

type SeenAnswer = Extract<Answer, { outcome: 'seen' }>;
/** `isConfirmation`: the change confirms a state that was recorded before. Only users who do not know it are notified. */
type After = { receipt: Receipt; change: Change | null; isConfirmation: boolean };

function afterSeen(before: Receipt, answer: SeenAnswer, params: DecideParams): After {
  const { seen, hashes, checkedAt: at } = answer;
  const { facts, spanish } = seen;
  const classified = classifyChange(before, { facts, hashes, at }, params);
  const isSame = before.facts !== null && isSameContent(before.facts, facts);
  const isConfirmation = isSame && confirmReturn(before, at, params.scale);
  const change: Change | null = isConfirmation ? { kind: 'flap', skip_reason: null } : classified;
  const isOther = before.facts_hash !== hashes.facts_hash;
  const observation = change ? before.observation + 1 : before.observation;
  const receipt: Receipt = {
    ...before,
    ...hashes,
    facts,
    spanish_source: spanishSourceOf(spanish),
    observation,
    since: isOther || !before.since ? at : before.since,
    past: change && isOther ? withState(before, { observation, at, change, answer }) : before.past,
    state: 'watched',
    not_found: null,
    rejections: null,
    title_modified_date: titleModifiedDate(before, answer),
    ...(isConfirmation ? { returned_at: null, held: null } : undecided(before, { isSame, change, at })),
  };
  return { receipt, change, isConfirmation };
}

function undecided(
  before: Receipt,
  { isSame, change, at }: { isSame: boolean; change: Change | null; at: Date },
): Pick<Receipt, 'returned_at' | 'held'> {
  if (isSame || !change) return { returned_at: before.returned_at, held: before.held };
  const isHeld = change.skip_reason === 'held' && before.facts !== null;
  const told = before.held?.told ?? (before.facts && contentOf(before.facts));
  return {
    returned_at: change.kind === 'flap' ? at : null,
    held: isHeld && told ? { at: before.held?.at ?? at, told } : null,
  };
}

type NewState = { observation: number; at: Date; change: Change; answer: SeenAnswer };

function withState(before: Receipt, { observation, at, change, answer }: NewState): PastState[] {
  const { facts } = answer.seen;
  const { facts_hash } = answer.hashes;
  const { content_hash, status_code } = contentOf(facts);
  const state = { observation, facts_hash, content_hash, status_code, at, ...change };
  return [...before.past, state].slice(-maxPastStates);
}

/** The earliest one that was seen with this title: USCIS moves the date without a change that people can see. */
function titleModifiedDate(before: Receipt, { seen: { facts } }: SeenAnswer): string | null {
  const former = before.facts;
  const isSame = former && isSameTitle(former.status_code, facts.status_code);
  const first = isSame ? (before.title_modified_date ?? former.modified_date) : null;
  return [first, facts.modified_date].filter((date) => date !== null).toSorted()[0] ?? null;
}

function afterRefusal(
  before: Receipt,
  answer: Exclude<Answer, SeenAnswer>,
  { scale }: DecideParams,
): Receipt {
  const at = answer.checkedAt;
  if (answer.outcome === 'rejected') {
    const state = isRejectedAgain(before, at, scale) ? 'rejected' : before.state;
    return { ...before, state, not_found: null, rejections: before.rejections ?? { first_at: at } };
  }
  const { first_at, count } = before.not_found ?? { first_at: at, count: 0 };
  const not_found = { first_at, last_at: at, count: count + 1, message: answer.message };
  const isPermanent = before.state === 'not_found' || isPermanentlyNotFound(not_found, at, scale);
  return { ...before, not_found, rejections: null, state: isPermanent ? 'not_found' : 'watched' };
}
