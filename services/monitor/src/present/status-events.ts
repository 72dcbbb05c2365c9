import type { EventData } from '@casewatch/contracts';
import type { CaseUpdate } from '../domain/case-update.ts';
import type { GivenUpdate, Receipt, Shown, SkipReason, Watch } from '../domain/receipt.ts';

type MonitoringState = Pick<Receipt, 'state' | 'state_since' | 'next_check_at' | 'revision'>;
/** One event; none if the case is deleted. */
type CaseEvents<Data> = { subject: string; data: Data }[];

/** None if the receipt has no facts. `given`: the status update as the case keeps it. */
export function statusUpdatedEvents(
  { watch, kind, skip_reason, previous_status_code, changes, new_history }: CaseUpdate,
  { facts, title_modified_date, spanish_source, touched_at }: Shown,
  { id, observation, at }: GivenUpdate,
): CaseEvents<EventData<'status.updated'>> {
  if (!facts) return [];
  const timestamp = at.toISOString();
  const touched = touched_at?.toISOString() ?? null;
  const status_update = { ...facts, id, kind, changes, touched_at: touched, observation, timestamp };
  const skip = onTheWire(skip_reason);
  return eventsOf(watch, {
    status_update,
    title_modified_date,
    ...skip,
    previous_status_code,
    new_history,
    spanish_source,
  });
}

/** None if no case was touched. */
export function statusTouchedEvents(
  updates: EventData<'status.touched'>['updates'],
  touch: { touched_at: Date } | null,
): CaseEvents<EventData<'status.touched'>> {
  const [first] = updates;
  if (!first || !touch) return [];
  const data = { touched_at: touch.touched_at.toISOString(), updates };
  return [{ subject: `case/${first.case_id}`, data }];
}

export function checkOverdueEvents(
  watch: Watch,
  { last_checked }: Pick<Receipt, 'last_checked'>,
  at: Date,
): CaseEvents<EventData<'status.check_overdue'>> {
  return eventsOf(watch, { last_checked: last_checked?.toISOString() ?? null, since: at.toISOString() });
}

export function monitoringChangedEvents(
  watch: Watch,
  { state, state_since, next_check_at, revision }: MonitoringState,
  at: Date,
): CaseEvents<EventData<'status.monitoring_changed'>> {
  const since = (state_since ?? at).toISOString();
  return eventsOf(watch, {
    state,
    since,
    next_check_at: next_check_at?.toISOString() ?? null,
    revision,
    case_version: watch.version,
  });
}

function onTheWire(reason: SkipReason) {
  return reason === 'held' || reason === 'case_inactive'
    ? { skip_reason: 'no_content_change' as const, skip_detail: reason }
    : { skip_reason: reason };
}

function eventsOf<Data>(watch: Watch, data: Data) {
  return watch.case ? [{ subject: `case/${watch._id}`, data: { case: watch.case, ...data } }] : [];
}
