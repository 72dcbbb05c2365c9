import type { PartnerReply, StatusUpdated, UserReply } from '@casewatch/contracts';

const created = '2026-11-01T10:00:00.000Z';

/** A user who is to be told on both channels. */
export function aUser(id: number, over: Partial<UserReply> = {}): UserReply {
  return {
    id,
    partner_id: 1,
    partner_name: 'Santos & Partners',
    partner_logo_url: null,
    email: `person-${id}@example.org`,
    name: 'Ana Lucía Ferreira',
    phone: `+1202555${String(1_000 + id).slice(-4)}`,
    status: 'active',
    preferred_language: 'en',
    notify_by_email: true,
    notify_by_whatsapp: true,
    whatsapp_consent_at: created,
    email_verified_at: created,
    version: 1,
    created_at: created,
    updated_at: created,
    ...over,
  };
}

export function aPartner(over: Partial<PartnerReply> = {}): PartnerReply {
  return {
    id: 1,
    name: 'Santos & Partners',
    email: 'office@santos.example',
    status: 'active',
    logo_url: 'https://santos.example/logo.png',
    notify_unverified: false,
    case_url: 'https://santos.example/cases/{user_case_id}',
    reply_to: 'help@santos.example',
    support_contact: 'help@santos.example',
    time_zone: null,
    version: 1,
    ...over,
  };
}

type Change = Partial<StatusUpdated['status_update']>;

/** `status.updated` of one user's case: `id` is the StatusUpdate's, and the case's. */
export function anUpdate(id: number, userId: number, change: Change = {}): StatusUpdated {
  return {
    case: {
      id,
      user_case_id: `FLOW${String(id).padStart(7, '0')}`,
      receipt_number: 'EAC9999106789',
      user_id: userId,
      partner_id: 1,
    },
    status_update: {
      id,
      kind: 'status',
      changes: [],
      touched_at: null,
      observation: 2,
      timestamp: new Date().toISOString(),
      status_code: 'Case Was Approved',
      status_description:
        'On November 20, 2026, we approved your Form I-765, Receipt Number EAC9999106789. We <will> mail it.',
      form_type: 'I-765',
      status_code_es: 'Caso Fue Aprobado',
      status_description_es:
        'El 20 de noviembre de 2026 aprobamos su Formulario I-765, número EAC9999106789.',
      status_code_pt: 'Caso aprovado',
      status_description_pt: null,
      status_slug: 'case_was_approved',
      category: 'approved',
      submitted_date: null,
      modified_date: null,
      history: [],
      ...change,
    },
    title_modified_date: null,
    skip_reason: null,
    previous_status_code: 'Case Was Received',
    new_history: [],
  };
}
