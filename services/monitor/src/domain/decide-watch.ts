import type { Baseline, CaseReference, FirstCheck } from '@casewatch/contracts';
import { deferredCheck, firstCheck } from './buckets.ts';
import { type CaseUpdate, firstUpdate, knownAfter, missedUpdate, noUpdate } from './case-update.ts';
import { type LastUpdate, type NextCheck, type Receipt, unknownReceipt, type Watch } from './receipt.ts';
import { type ScheduleParams, scheduleIn, scheduleNext } from './schedule.ts';

/** A case whose watch begins, or begins again (`first_check` null). */
export type WatchRequest = {
  case: CaseReference;
  version: number;
  first_check: FirstCheck | null;
  baseline: Baseline | null;
  at: Date;
};

/** `pastRevision`: the highest revision that the receipt had before it was forgotten, as far as somebody may compare with it. */
type Known = { stored: Receipt | null; former: Watch | null; pastRevision: number };

/** Begins a watch without a gap: the case gets the changes since its baseline immediately (architecture.md §4). */
export function decideWatch(
  { stored, former, pastRevision }: Known,
  request: WatchRequest,
  params: ScheduleParams,
) {
  const { case: reference, version, first_check, at } = request;
  const { id: _id, receipt_number } = reference;
  const lastKnown = lastKnownState(former, request);
  const before = reconcile(stored ?? unknownReceipt(receipt_number), lastKnown, request);
  const revision = Math.max(before.revision, pastRevision) + 1;
  const firstKind = first_check === 'not_found' ? 'status' : (former?.awaits ?? 'baseline');
  const watch: Watch = {
    ...(lastKnown ?? noUpdate),
    _id,
    receipt_number,
    case: reference,
    version,
    active: true,
    awaits: lastKnown ? null : firstKind,
    deleted_at: null,
    // An active watch goes on: changes that wait for it are still its own.
    begun_revision: former?.active ? former.begun_revision : revision,
    ended_revision: null,
  };
  const isShown = before.facts !== null && before.not_found === null;
  const update = watch.awaits ? firstUpdate(watch, watch.awaits) : missedUpdate(watch, before);
  const { watchers } = before;
  // Time without a watch does not make a receipt overdue.
  const new_since = first_check !== null || watchers === 0 ? at : before.new_since;
  return {
    receipt: {
      ...before,
      ...(!former?.active && { watchers: watchers + 1, watched_by: watchers === 0 ? _id : null }),
      revision,
      new_since,
      ...scheduleWatch({ ...before, new_since }, request, params),
      expires_at: null,
    },
    /** Without the id of the update. */
    watch: isShown ? withState(watch, before, update) : watch,
    update: isShown ? update : null,
    isStateChanged: before.state !== 'watched',
  };
}

function withState(watch: Watch, receipt: Receipt, update: CaseUpdate | null): Watch {
  const told = watch.last_told;
  const known = knownAfter(watch, receipt, { update, told });
  // Without an update, the case knows the present state, but perhaps users were not notified of it.
  return { ...watch, ...known, ...(!update && told && { last_told: told }), awaits: null };
}

function lastKnownState(former: Watch | null, { baseline, at }: WatchRequest): LastUpdate | null {
  const { last_observation, last_facts_hash, last_status_code, last_told } = former ?? noUpdate;
  const { last_parts, known_history, last_update, untold } = former ?? noUpdate;
  const told = { last_observation, last_facts_hash, last_status_code, last_told };
  const known = { ...told, last_parts, known_history, last_update, untold };
  if (!baseline) return last_facts_hash ? known : null;
  return { ...known, ...knownOfBaseline(baseline, at) };
}

/** What a case knows from its first check. */
export function knownOfBaseline({ status_update_id: id, observation, facts_hash }: Baseline, at: Date) {
  const last_update = { id, observation, at };
  return { last_observation: observation, last_facts_hash: facts_hash, last_update };
}

/** Continues a forgotten receipt from what the case knows, so that the observations of a case never decrease. */
function reconcile(
  receipt: Receipt,
  lastKnown: LastUpdate | null,
  { first_check, at }: WatchRequest,
): Receipt {
  if (first_check === 'not_found' && receipt.facts === null && receipt.not_found === null)
    return { ...receipt, not_found: { first_at: at, last_at: at, count: 1, message: null } };
  if (!lastKnown) return receipt;
  const { last_observation, last_facts_hash } = lastKnown;
  if (receipt.facts_hash === null)
    return { ...receipt, observation: last_observation, facts_hash: last_facts_hash };
  const minObservation = last_observation + (receipt.facts_hash === last_facts_hash ? 0 : 1);
  return { ...receipt, observation: Math.max(receipt.observation, minObservation) };
}

/** A known receipt keeps its place in the schedule. */
function scheduleWatch(
  receipt: Receipt,
  { first_check, at }: WatchRequest,
  params: ScheduleParams,
): NextCheck {
  const { bucket, checked_at, last_checked, next_check_at, state } = receipt;
  if (first_check === null) return scheduleIn(state === 'rejected' ? null : firstCheck, at, params);
  if (receipt.watchers > 0 && bucket) return { bucket, checked_at, next_check_at };
  if (first_check === 'deferred' && last_checked === null && state !== 'rejected')
    return { bucket: deferredCheck, checked_at: at, next_check_at: at };
  return scheduleNext(receipt, last_checked ?? at, params);
}
