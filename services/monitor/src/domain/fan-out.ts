import { type Content, contentOf, isSameTitle } from './case-content.ts';
import { type CaseUpdate, firstUpdate, knownAfter, missedUpdate } from './case-update.ts';
import type { Decision } from './decide-answer.ts';
import type { Change, Receipt, Shown, Watch } from './receipt.ts';

export type UpdatesForCases = {
  /** `confirmed`: only users who do not know the state are notified. `dropped`: no one is; all count as notified. */
  mode: 'changed' | 'confirmed' | 'dropped';
  /** Null: only cases that missed a change get an update. */
  change: Change | null;
  shown: Shown;
  previous: Content | null;
  /** USCIS showed no status before: users wait for the first one. */
  wasNotFound: boolean;
};

type MonitoringChange = Pick<Receipt, 'state' | 'state_since' | 'next_check_at'>;
type Overdue = Pick<Receipt, 'last_checked'>;

/** One change of a receipt, told to its cases bit by bit. `_id`: receipt number and revision, so in order per receipt. */
export type FanOut = ReturnType<typeof newFanOut> & {
  /** Of the check. Absent in rows of an operator. */
  request_id?: string;
  traceparent?: string;
};

type Parts = { updates?: UpdatesForCases | null; monitoring?: MonitoringChange | null; overdue?: Overdue };

export function newFanOut({ _id, revision }: Receipt, at: Date, parts: Parts) {
  const { updates = null, monitoring = null, overdue = null } = parts;
  const order = String(revision).padStart(12, '0');
  /** The cases up to `after_case_id` have got the change. */
  const progress = { receipt_number: _id, revision, at, after_case_id: 0 };
  return { _id: `${_id}:${order}`, ...progress, updates, monitoring, overdue };
}

export function fanOutOf(before: Receipt, decision: Decision, at: Date): FanOut | null {
  const { receipt, change, isConfirmation, isStateChanged } = decision;
  const isSeen = receipt.not_found === null && receipt.state === 'watched' && receipt.facts !== null;
  const updates: UpdatesForCases | null = isSeen
    ? {
        mode: isConfirmation ? 'confirmed' : 'changed',
        change,
        shown: shownOf(receipt),
        // A confirmed state was recorded before: only `last_told` says who knows it.
        previous: before.facts && !isConfirmation ? contentOf(before.facts) : null,
        wasNotFound: before.not_found !== null,
      }
    : null;
  const { state, state_since, next_check_at } = receipt;
  const monitoring = isStateChanged ? { state, state_since, next_check_at } : null;
  return updates || monitoring ? newFanOut(receipt, at, { updates, monitoring }) : null;
}

/** The part of a receipt that is stored for its cases. */
export function shownOf(receipt: Receipt): Shown {
  const { observation, facts, facts_hash, past, returned_at, held, title_modified_date, spanish_source } =
    receipt;
  const stored = { observation, facts, facts_hash, past, returned_at, held, title_modified_date };
  return { ...stored, ...(spanish_source && { spanish_source }) };
}

/** What a change brings to a case: the update, if any, and what the case knows then. Null if the case has got the change. */
export function passOn(watch: Watch, updates: UpdatesForCases) {
  const { mode, change, shown, previous } = updates;
  if (watch.last_observation >= shown.observation) return null;
  const update = mode === 'dropped' ? null : updateFor(watch, updates);
  const told = watch.last_told ?? previous;
  const lastUpdate = knownAfter(shown, update ?? (mode === 'changed' ? change : null), told);
  return { watch, update, lastUpdate };
}

function updateFor(watch: Watch, updates: UpdatesForCases): CaseUpdate | null {
  const { change, shown, wasNotFound } = updates;
  const update = watch.awaits
    ? firstUpdate(watch, wasNotFound ? 'status' : watch.awaits)
    : change
      ? changeFor(watch, change, updates)
      : missedUpdate(watch, shown);
  if (!update || watch.active) return update;
  // Ended since the change was recorded (monitor.md).
  return { ...update, skip_reason: update.skip_reason ?? 'case_inactive' };
}

function changeFor(watch: Watch, change: Change, updates: UpdatesForCases): CaseUpdate | null {
  const { mode, shown, previous } = updates;
  const now = shown.facts && contentOf(shown.facts);
  const told = watch.last_told ?? previous;
  const previous_status_code = told?.status_code ?? watch.last_status_code;
  const isTold = now !== null && told?.content_hash === now.content_hash;
  if (mode === 'confirmed') return isTold ? null : { watch, ...change, previous_status_code };
  if (change.kind !== 'translation' && watch.last_facts_hash === shown.facts_hash) return null;
  if (change.skip_reason !== null) return { watch, ...change, previous_status_code };
  // Where the content is as before, something else is new: the history.
  const isNews = previous?.content_hash === now?.content_hash;
  const kind = now && told && change.kind !== 'flap' ? kindFor(told, now) : change.kind;
  return { watch, kind, skip_reason: isTold && !isNews ? 'no_content_change' : null, previous_status_code };
}

function kindFor(told: Content, now: Content): 'status' | 'details' {
  return isSameTitle(told.status_code, now.status_code) ? 'details' : 'status';
}
