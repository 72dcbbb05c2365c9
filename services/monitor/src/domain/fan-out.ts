import type { HistoryEntry } from '@casewatch/contracts';
import { type Content, contentOf, isSameTitle } from './case-content.ts';
import { type CaseUpdate, changesFor, firstUpdate, knownAfter, missedUpdate } from './case-update.ts';
import type { Decision } from './decide-answer.ts';
import type { Change, LaterUpdate, Receipt, Shown, Watch } from './receipt.ts';

export type UpdatesForCases = {
  /** `confirmed`: only users who do not know the state are notified. `dropped`: no one is; all count as notified. */
  mode: 'changed' | 'confirmed' | 'dropped';
  /** Null: only cases that missed a change get an update. */
  change: Change | null;
  shown: Shown;
  previous: Content | null;
  /** The state has no status update yet. Of a confirmed one this is false: its status update waits to be told. */
  isNew: boolean;
  /** What the history says that was not known. */
  new_history: HistoryEntry[];
  /** USCIS showed no status before: users wait for the first one. */
  wasNotFound: boolean;
};

type MonitoringChange = Pick<Receipt, 'state' | 'state_since' | 'next_check_at'>;
type Overdue = Pick<Receipt, 'last_checked'>;
/** USCIS moved `modified_date` alone, in the state of this observation. */
type Touch = { touched_at: Date; observation: number };

/** One change of a receipt, told to its cases bit by bit. `_id`: receipt number and revision, so in order per receipt. */
export type FanOut = ReturnType<typeof newFanOut> & {
  /** Of the check. Absent in rows of an operator. */
  request_id?: string;
  traceparent?: string;
};

type Parts = {
  updates?: UpdatesForCases | null;
  monitoring?: MonitoringChange | null;
  overdue?: Overdue;
  touch?: Touch | null;
};

export function newFanOut({ _id, revision }: Receipt, at: Date, parts: Parts) {
  const { updates = null, monitoring = null, overdue = null, touch = null } = parts;
  const order = String(revision).padStart(12, '0');
  /** The cases up to `after_case_id` have got the change. */
  const progress = { receipt_number: _id, revision, at, after_case_id: 0 };
  return { _id: `${_id}:${order}`, ...progress, updates, monitoring, overdue, touch };
}

export function fanOutOf(before: Receipt, decision: Decision, at: Date): FanOut | null {
  const { receipt, change, isConfirmation, isStateChanged, isTouch, isNew, new_history } = decision;
  const isSeen = receipt.not_found === null && receipt.state === 'watched' && receipt.facts !== null;
  // A date that moved alone is no update of any case: nothing about its watches has to be read or written.
  const isTouchAlone = isTouch && change === null && before.not_found === null && !isStateChanged;
  const updates: UpdatesForCases | null =
    isSeen && !isTouchAlone
      ? {
          mode: isConfirmation ? 'confirmed' : 'changed',
          change,
          shown: shownOf(receipt),
          // A confirmed state was recorded before: only `last_told` says who knows it.
          previous: before.facts && !isConfirmation ? contentOf(before.facts) : null,
          isNew,
          new_history,
          wasNotFound: before.not_found !== null,
        }
      : null;
  const { state, state_since, next_check_at } = receipt;
  const monitoring = isStateChanged ? { state, state_since, next_check_at } : null;
  const { touched_at, observation } = receipt;
  const touch = isTouch && touched_at ? { touched_at, observation } : null;
  return updates || monitoring || touch ? newFanOut(receipt, at, { updates, monitoring, touch }) : null;
}

/** The part of a receipt that is stored for its cases. */
export function shownOf(receipt: Receipt): Shown {
  const { observation, facts, facts_hash, past, returned_at, held, spanish_source } = receipt;
  const { title_modified_date, known_history, touched_at } = receipt;
  const state = { observation, facts, facts_hash, past, returned_at, held };
  const stored = { ...state, title_modified_date, known_history, touched_at };
  return { ...stored, ...(spanish_source && { spanish_source }) };
}

/**
 * What a change brings to a case: the update, if any, and what the case knows then, but for the id of its update. Null if the
 * case has got the change.
 */
export function passOn(watch: Watch, updates: UpdatesForCases) {
  const { mode, change, shown, previous } = updates;
  if (watch.last_observation >= shown.observation) return null;
  const update = mode === 'dropped' ? null : updateFor(watch, updates);
  const told = watch.last_told ?? previous;
  const known = { update: update ?? (mode === 'changed' ? change : null), told };
  return { watch, update, known: knownAfter(watch, shown, known) };
}

/** The status updates that USCIS touched: the newest of each case, unless the case has got a later state or gets one now. */
export function touchedUpdates(
  watches: readonly Watch[],
  passed: readonly { watch: Watch; lastUpdate: LaterUpdate }[],
  { observation }: Touch,
) {
  const idNow = new Map(passed.map(({ watch, lastUpdate }) => [watch._id, lastUpdate.last_update?.id]));
  return watches.flatMap(({ _id, active, case: reference, last_observation, last_update }) => {
    const isLater = last_observation > observation || (idNow.get(_id) ?? last_update?.id) !== last_update?.id;
    if (!active || !reference || !last_update || isLater) return [];
    return [{ case_id: _id, status_update_id: last_update.id }];
  });
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
  return update.again ? null : { ...update, skip_reason: update.skip_reason ?? 'case_inactive' };
}

function changeFor(watch: Watch, change: Change, updates: UpdatesForCases): CaseUpdate | null {
  const { mode, shown, previous, isNew } = updates;
  const now = shown.facts && contentOf(shown.facts);
  const told = watch.last_told ?? previous;
  const isTold = now !== null && told?.content_hash === now.content_hash;
  const update: CaseUpdate = {
    watch,
    ...change,
    previous_status_code: told?.status_code ?? watch.last_status_code,
    changes: change.kind === 'translation' ? [] : changesFor(watch, shown),
    new_history: updates.new_history,
  };
  if (mode === 'confirmed') {
    if (isNew) return isTold ? { ...update, ...sameContent(updates) } : update;
    if (isTold) return null;
    const { untold: again } = watch;
    if (!again) return update;
    const { kind, changes, new_history } = again;
    return { ...update, kind, changes, new_history, again };
  }
  if (change.kind !== 'translation' && watch.last_facts_hash === shown.facts_hash) return null;
  if (change.skip_reason !== null) return update;
  // Where the content is as before, something else is new: the history.
  const isNews = previous?.content_hash === now?.content_hash;
  const kind = now && told && change.kind !== 'flap' ? kindFor(told, now) : change.kind;
  return { ...update, kind, skip_reason: isTold && !isNews ? 'no_content_change' : null };
}

/** Nothing that people read is new, unless it stands in the history. */
function sameContent({ new_history }: UpdatesForCases): Change {
  return { kind: 'details', skip_reason: new_history.length > 0 ? null : 'no_content_change' };
}

function kindFor(told: Content, now: Content): 'status' | 'details' {
  return isSameTitle(told.status_code, now.status_code) ? 'details' : 'status';
}
