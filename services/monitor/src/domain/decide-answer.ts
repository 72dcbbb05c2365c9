import { type CaseUpdate, firstUpdate, missedUpdate } from './case-update.ts';
import { type Change, classifyChange } from './classify-change.ts';
import type { Hashes } from './hashes.ts';
import { type ParsedStatus, spanishSourceOf } from './parse-case-status.ts';
import type { PastState, Receipt, Watch } from './receipt.ts';
import { isPermanentlyNotFound, pollClassOf, type ScheduleParams, scheduleNext } from './schedule.ts';

/** An answer about a receipt. `sent`: place of the request in the order of sending. */
export type Answer = { sent: number; checkedAt: Date } & (
  | { kind: 'seen'; seen: ParsedStatus; hashes: Hashes }
  | { kind: 'not_found'; message: string | null }
  | { kind: 'rejected' }
);

export type Decision = {
  receipt: Receipt;
  updates: CaseUpdate[];
  isStateChanged: boolean;
  /** More changes than the time of the check: the write is a transaction with a new revision. */
  isMaterial: boolean;
};

const maxPastStates = 16;

/** The change that an answer makes to its receipt; null if the answer to a later request was recorded before. */
export function decideAnswer(
  before: Receipt,
  watches: readonly Watch[],
  answer: Answer,
  params: ScheduleParams,
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
      : { receipt: afterRefusal(checked, answer, params), change: null };
  // The end of an overdue period changes the monitoring state too.
  const isStateChanged = receipt.state !== before.state || before.overdue_since !== null;
  const updates = answer.kind === 'seen' ? updatesFor(before, receipt, change, watches) : [];
  // A receipt made from the memory of a case has a hash, but no facts.
  const hasFirstFacts = before.facts === null && receipt.facts !== null;
  const isMaterial =
    isStateChanged ||
    change !== null ||
    updates.length > 0 ||
    receipt.not_found !== before.not_found ||
    hasFirstFacts;
  return {
    receipt: {
      ...receipt,
      state_since: isStateChanged ? answer.checkedAt : receipt.state_since,
      revision: isMaterial ? before.revision + 1 : before.revision,
      ...scheduleNext(receipt, answer.checkedAt, params),
    },
    updates,
    isStateChanged,
    isMaterial,
  };
}

type SeenAnswer = Extract<Answer, { kind: 'seen' }>;

function afterSeen(
  before: Receipt,
  { seen: { facts, spanish }, hashes, checkedAt }: SeenAnswer,
): { receipt: Receipt; change: Change | null } {
  const change = classifyChange(before, facts, hashes, checkedAt);
  const isOther = before.facts_hash !== hashes.facts_hash;
  const observation = change ? before.observation + 1 : before.observation;
  const { status_code } = facts;
  const states: PastState[] =
    change && isOther
      ? [{ observation, facts_hash: hashes.facts_hash, status_code, at: checkedAt, ...change }]
      : [];
  const receipt: Receipt = {
    ...before,
    ...hashes,
    facts,
    spanish_source: spanishSourceOf(spanish),
    observation,
    since: isOther || !before.since ? checkedAt : before.since,
    past: [...before.past, ...states].slice(-maxPastStates),
    poll_class: pollClassOf(facts),
    state: 'watched',
    not_found: null,
  };
  return { receipt, change };
}

function afterRefusal(
  before: Receipt,
  answer: Exclude<Answer, SeenAnswer>,
  { scale }: ScheduleParams,
): Receipt {
  if (answer.kind === 'rejected') return { ...before, state: 'rejected', not_found: null };
  const not_found = {
    first_at: before.not_found?.first_at ?? answer.checkedAt,
    last_at: answer.checkedAt,
    count: (before.not_found?.count ?? 0) + 1,
    message: answer.message,
  };
  const isPermanent =
    before.state === 'not_found' || isPermanentlyNotFound(not_found, answer.checkedAt, scale);
  return { ...before, not_found, state: isPermanent ? 'not_found' : 'watched' };
}

function updatesFor(
  before: Receipt,
  after: Receipt,
  change: Change | null,
  watches: readonly Watch[],
): CaseUpdate[] {
  return watches.flatMap((watch): CaseUpdate[] => {
    if (watch.awaits) return [firstUpdate(watch, watch.awaits)];
    // A case whose watch began during a 404 gets the changes since its baseline now.
    if (!change) return [missedUpdate(watch, after, watch)].filter((update) => update !== null);
    const isUpToDate = change.kind !== 'translation' && watch.last_facts_hash === after.facts_hash;
    if (isUpToDate) return [];
    const previous_status_code = watch.last_status_code ?? before.facts?.status_code ?? null;
    return [{ watch, ...change, previous_status_code }];
  });
}
