import type { CaseReply, ObservedStatus, Person, StatusUpdated } from '@casewatch/contracts';
import { aPerson } from '@casewatch/testing';

export const userEmail = 'ana.webhooks@example.org';
const receiptNumber = 'EAC9999103403';

/** A status as the monitor records it. */
export function observed(id: number, observation: number, title = 'Case Was Approved'): ObservedStatus {
  return {
    id,
    kind: 'status',
    changes: [],
    touched_at: null,
    observation,
    timestamp: new Date(Date.UTC(2026, 10, 21, 10, 0, observation)).toISOString(),
    status_code: title,
    status_description: 'On November 21, 2026, we approved it.',
    form_type: 'I-765',
    status_code_es: 'Caso Fue Aprobado',
    status_description_es: null,
    status_code_pt: null,
    status_description_pt: null,
    status_slug: 'case_was_approved',
    category: 'approved',
    submitted_date: null,
    modified_date: null,
    history: [],
  };
}

type CaseParts = { id: number; userId: number; partnerId: number; version?: number; latest?: ObservedStatus };

/** What cases answers; its newest StatusUpdate is `latest`. */
export function caseReply({ id, userId, partnerId, version = 1, latest }: CaseParts): CaseReply {
  const { observation, changes = [], touched_at = null, ...update } = latest ?? { observation: 0 };
  const added = { changes, touched_at, spanish_source: null, respond_by: null };
  return {
    case: {
      id,
      user_case_id: `FLOW${String(id).padStart(7, '0')}`,
      receipt_number: receiptNumber,
      description: '$set and more',
      created_at: '2026-11-21T09:00:00.000Z',
      last_checked: null,
      active: true,
      update_count: observation,
      latest_update: 'id' in update ? { ...update, ...added, detail_message: 'A sentence.' } : null,
    },
    user_id: userId,
    partner_id: partnerId,
    assignee_id: null,
    reference: '2024-118',
    respond_by: null,
    respond_done: false,
    watched: true,
    version,
    monitoring: { state: 'watched', since: null, next_check_at: null },
    latest_observation: latest?.observation ?? null,
  };
}

export function reference(reply: CaseReply) {
  const { id, user_case_id, receipt_number } = reply.case;
  return { id, user_case_id, receipt_number, user_id: reply.user_id, partner_id: reply.partner_id };
}

/** The monitor's event about a case. */
export function statusUpdated(reply: CaseReply, update: ObservedStatus): StatusUpdated {
  return {
    case: reference(reply),
    status_update: update,
    title_modified_date: null,
    skip_reason: null,
    previous_status_code: 'Case Was Received',
    new_history: [],
  };
}

/** What identity knows. */
export function userOf(id: number, partnerId: number, version = 1): Person {
  return aPerson(id, { partner_id: partnerId, email: userEmail, preferred_language: 'es', version });
}
