import type { EventData } from '@casewatch/contracts';
import type { CaseUpdate } from '../domain/case-update.ts';
import type { Receipt, Watch } from '../domain/receipt.ts';

type CaseEvents<Data> = { subject: string; data: Data }[];

/** The event `status.updated` of one case; none if the receipt has no facts or the case is deleted. */
export function statusUpdatedEvents(
  { watch, kind, skip_reason, previous_status_code }: CaseUpdate,
  { facts, observation, spanish_source }: Receipt,
  { id, at }: { id: number; at: Date },
): CaseEvents<EventData<'status.updated'>> {
  if (!facts) return [];
  const status_update = { ...facts, id, kind, observation, timestamp: at.toISOString() };
  const data = { status_update, skip_reason, previous_status_code };
  return eventsOf(watch, spanish_source ? { ...data, spanish_source } : data);
}

export function checkOverdueEvents(
  watch: Watch,
  { last_checked }: Receipt,
  at: Date,
): CaseEvents<EventData<'status.check_overdue'>> {
  return eventsOf(watch, { last_checked: last_checked?.toISOString() ?? null, since: at.toISOString() });
}

export function monitoringChangedEvents(
  watch: Watch,
  { state, state_since, next_check_at, revision }: Receipt,
  at: Date,
): CaseEvents<EventData<'status.monitoring_changed'>> {
  return eventsOf(watch, {
    state,
    since: (state_since ?? at).toISOString(),
    next_check_at: next_check_at?.toISOString() ?? null,
    revision,
  });
}

function eventsOf<Data>(watch: Watch, data: Data) {
  return watch.case ? [{ subject: `case/${watch._id}`, data: { case: watch.case, ...data } }] : [];
}
