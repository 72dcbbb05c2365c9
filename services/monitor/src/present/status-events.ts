import type { EventData } from '@casewatch/contracts';
import type { CaseUpdate } from '../domain/case-update.ts';
import type { Receipt, Shown, SkipReason, Watch } from '../domain/receipt.ts';

type MonitoringState = Pick<Receipt, 'state' | 'state_since' | 'next_check_at' | 'revision'>;
/** One event; none if the case is deleted. */
type CaseEvents<Data> = { subject: string; data: Data }[];

/** None if the receipt has no facts. */
export function statusUpdatedEvents(
  { watch, kind, skip_reason, previous_status_code }: CaseUpdate,
  { facts, observation, title_modified_date, spanish_source }: Shown,
  { id, at }: { id: number; at: Date },
): CaseEvents<EventData<'status.updated'>> {
  if (!facts) return [];
  const status_update = { ...facts, id, kind, observation, timestamp: at.toISOString() };
  const skip = onTheWire(skip_reason);
  return eventsOf(watch, {
    status_update,
    title_modified_date,
    ...skip,
    previous_status_code,
    spanish_source,
  });
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
