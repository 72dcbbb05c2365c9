import type { EventData } from '@casewatch/contracts';
import type { Telling } from '../domain/decide-answer.ts';
import type { Receipt, Watch } from '../domain/receipt.ts';

/** The event that one case gets of what was seen; null where the receipt shows nothing or the case is deleted. */
export function statusUpdatedEvent(
  { watch, kind, skip_reason, previous_status_code }: Telling,
  receipt: Receipt,
  { id, at }: { id: number; at: Date },
): { subject: string; data: EventData<'status.updated'> } | null {
  if (!receipt.facts || !watch.case) return null;
  const { facts, observation } = receipt;
  return {
    subject: `case/${watch._id}`,
    data: {
      case: watch.case,
      status_update: { ...facts, id, kind, observation, timestamp: at.toISOString() },
      skip_reason,
      previous_status_code,
    },
  };
}

/** The event by which one case hears that its receipt was not checked for too long. */
export function checkOverdueEvent(
  watch: Watch,
  receipt: Receipt,
  at: Date,
): { subject: string; data: EventData<'status.check_overdue'> } | null {
  if (!watch.case) return null;
  const last_checked = receipt.last_checked?.toISOString() ?? null;
  return { subject: `case/${watch._id}`, data: { case: watch.case, last_checked, since: at.toISOString() } };
}

/** The event by which one case hears of the state that its receipt is in now. */
export function monitoringChangedEvent(
  watch: Watch,
  receipt: Receipt,
  at: Date,
): { subject: string; data: EventData<'status.monitoring_changed'> } | null {
  if (!watch.case) return null;
  return {
    subject: `case/${watch._id}`,
    data: {
      case: watch.case,
      state: receipt.state,
      since: (receipt.state_since ?? at).toISOString(),
      next_check_at: receipt.next_check_at?.toISOString() ?? null,
      revision: receipt.revision,
    },
  };
}
