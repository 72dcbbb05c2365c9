import type { CheckReply, EventData, ObservedStatus, Person, StatusFacts } from '@casewatch/contracts';
import { aPerson } from '@casewatch/testing';

/** A receipt number of its own for each test; `n` up to nine digits. */
export function receipt(n: number): string {
  return `EAC9${String(n).padStart(9, '0')}`;
}

export function user(id: number, over: Partial<Person> = {}): Person {
  return aPerson(id, { email: `person${id}@example.test`, phone: '+12025550123', ...over });
}

export function facts(over: Partial<StatusFacts> = {}): StatusFacts {
  return {
    status_code: 'Case Was Received',
    status_description: 'On November 1, 2026, we received your form.',
    form_type: 'I-130',
    status_code_es: 'Caso Fue Recibido',
    status_description_es: null,
    status_code_pt: 'Caso recebido',
    status_description_pt: null,
    status_slug: 'case_was_received',
    category: 'received',
    submitted_date: '2026-11-01T08:30:00.000Z',
    modified_date: null,
    history: [
      { date: '2026-11-01', status_code: 'Case Was Received', status_code_es: null, status_code_pt: null },
    ],
    ...over,
  };
}

let lastUpdateId = 1_000;

/** Ids of StatusUpdates are the monitor's to give. */
export function nextUpdateId(): number {
  lastUpdateId += 1;
  return lastUpdateId;
}

export function seen(over: Partial<Extract<CheckReply, { outcome: 'seen' }>> = {}): CheckReply {
  return {
    outcome: 'seen',
    facts: facts(),
    status_update_id: nextUpdateId(),
    observation: 1,
    facts_hash: 'hash-1',
    title_modified_date: null,
    touched_at: null,
    checked_at: '2026-11-20T09:00:00.000Z',
    source: 'live',
    ...over,
  };
}

export type CaseInEvent = EventData<'status.updated'>['case'];

export function statusUpdated(
  of: CaseInEvent,
  over: Partial<ObservedStatus> = {},
  skip_reason: EventData<'status.updated'>['skip_reason'] = null,
): EventData<'status.updated'> {
  const approved = facts({
    status_code: 'Case Was Approved',
    status_slug: 'case_was_approved',
    category: 'approved',
  });
  const status_update: ObservedStatus = {
    ...approved,
    id: nextUpdateId(),
    kind: 'status',
    changes: [],
    touched_at: null,
    observation: 2,
    timestamp: '2026-11-21T09:00:00.000Z',
    ...over,
  };
  const rest = { title_modified_date: null, previous_status_code: 'Case Was Received', new_history: [] };
  return { case: of, status_update, skip_reason, ...rest };
}

export function notification(
  of: CaseInEvent,
  status_update_id: number,
  over: Partial<EventData<'notification.updated'>> = {},
): EventData<'notification.updated'> {
  return {
    status_update_id,
    case_id: of.id,
    user_id: of.user_id,
    partner_id: of.partner_id,
    channel: 'email',
    revision: 2,
    status: 'sent',
    attempts: 1,
    last_error: null,
    sent_at: '2026-11-21T09:00:05.000Z',
    ...over,
  };
}
