import type { Person, StatusUpdated } from '@casewatch/contracts';
import { aPerson } from '@casewatch/testing';

const created = '2026-11-01T10:00:00.000Z';

const ofPartner = {
  partner_name: 'Santos & Partners',
  partner_logo_url: 'https://santos.example/logo.png',
  partner_case_url: 'https://santos.example/cases/{user_case_id}',
  partner_reply_to: 'help@santos.example',
  partner_support_contact: 'help@santos.example',
};

/** A user who is to be told on both channels. */
export function aUser(id: number, over: Partial<Person> = {}): Person {
  return aPerson(id, {
    name: 'Ana Lucía Ferreira',
    phone: `+1202555${String(1_000 + id).slice(-4)}`,
    notify_by_whatsapp: true,
    whatsapp_consent_at: created,
    email_verified_at: created,
    ...(over.partner_id !== null && ofPartner),
    ...over,
  });
}

/** What a mail shows of the partner. */
export function aPartner(
  over: { name?: string; logo_url?: string | null; support_contact?: string | null } = {},
) {
  const {
    partner_name: name,
    partner_logo_url: logo_url,
    partner_support_contact: support_contact,
  } = ofPartner;
  return { name, logo_url, support_contact, ...over };
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
