import type { EventData } from '@casewatch/contracts';
import { caseReferenceOf } from '../../../../services/cases/src/rules/case.ts';
import { watchBegun } from '../../../../services/cases/src/rules/watching.ts';
import type { CaseRow } from '../../../../services/cases/src/store/cases.ts';
import type { User } from '../../../../services/identity/src/domain/user.ts';
import { receiptAt } from '../monitor/cases.ts';

const created = new Date('2026-11-01T10:00:00.000Z');

/** User and case have the same number. */
export function userRow(id: number, partnerId: number): User {
  const email = `person${id}@example.org`;
  return {
    _id: id,
    partner_id: partnerId,
    email,
    email_lower: email,
    pending_email: null,
    name: `Person ${id}`,
    phone: null,
    notify_by_email: true,
    notify_by_whatsapp: false,
    whatsapp_consent: null,
    email_opt_out: null,
    whatsapp_opt_out: null,
    preferred_language: id % 2 === 0 ? 'es' : 'en',
    email_verified_at: created,
    verification_queued_at: null,
    last_sign_in_at: created,
    status: 'active',
    suspended_by: null,
    version: 1,
    created_at: created,
    updated_at: created,
  };
}

export function caseRow(id: number, partnerId: number): CaseRow {
  return {
    _id: id,
    user_id: id,
    partner_id: partnerId,
    receipt_number: receiptAt(id),
    description: 'Green card',
    active: true,
    version: 1,
    watched_version: 1,
    created_at: created,
    updated_at: created,
    last_checked: created,
    update_count: 0,
    changed_at: null,
    latest_update: null,
    ...watchBegun(created),
    uscis_access_acknowledged_at: created,
    uscis_access_ack_version: '2026-01',
    attachments: 0,
  };
}

/** The event of the monitor about one case. The observation of a case grows with the id. */
export function statusUpdated(id: number, row: CaseRow): EventData<'status.updated'> {
  const { _id: caseId } = row;
  return {
    case: caseReferenceOf(row),
    status_update: {
      id,
      kind: 'status',
      changes: [],
      touched_at: null,
      observation: id,
      timestamp: new Date().toISOString(),
      status_code: 'Case Was Approved',
      status_description: `On November 21, 2026, we approved your Form I-765, Application for Employment Authorization, Receipt Number ${receiptAt(caseId)}. We will mail you an approval notice.`,
      form_type: 'I-765',
      status_code_es: 'Caso Fue Aprobado',
      status_description_es: `El 21 de noviembre de 2026 aprobamos su Formulario I-765, Número de Recibo ${receiptAt(caseId)}. Le enviaremos una notificación de aprobación.`,
      status_code_pt: 'Caso aprovado',
      status_description_pt: null,
      status_slug: 'case_was_approved',
      category: 'approved',
      submitted_date: '2026-11-01T08:30:00.000Z',
      modified_date: '2026-11-21T08:30:00.000Z',
      history: [
        { date: '2026-11-01', status_code: 'Case Was Received', status_code_es: null, status_code_pt: null },
      ],
    },
    title_modified_date: null,
    skip_reason: null,
    previous_status_code: 'Case Was Received',
    new_history: [],
  };
}
