import type { ChangedPart } from '../resources/status-update.ts';

/** One story: a law firm monitors the case of Ana Silva. Ids and times are those of the recorded examples. */
export const occurredAt = '2026-11-21T10:00:00.000Z';
export const lastChecked = '2026-11-20T14:05:09.120Z';

const createdAt = '2026-11-20T14:05:09.120Z';

const received = {
  id: 5210,
  kind: 'baseline' as const,
  changes: [] as ChangedPart[],
  status_code: 'Case Was Received',
  status_description: 'On September 5, 2023, we received your Form I-130, Petition for Alien Relative.',
  form_type: 'I-130',
  detail_message: 'USCIS has the case and gave it a receipt number.',
  spanish_source: 'uscis' as const,
  touched_at: null,
  status_code_es: 'Caso Fue Recibido',
  status_description_es: 'El 5 de septiembre de 2023 recibimos su Formulario I-130.',
  status_code_pt: 'Caso recebido',
  status_description_pt: null,
  status_slug: 'case_was_received',
  category: 'received',
  submitted_date: '2023-09-05T14:28:41.000Z',
  modified_date: '2023-09-05T14:28:41.000Z',
  history: [],
  timestamp: createdAt,
  respond_by: null,
};

const approved = {
  ...received,
  id: 5211,
  kind: 'status' as const,
  changes: ['title', 'text', 'history'] as ChangedPart[],
  status_code: 'Case Was Approved',
  status_description: 'On February 12, 2024, we approved your Form I-130, Petition for Alien Relative.',
  detail_message: 'USCIS approves the request. The approval notice explains what it grants.',
  status_code_es: 'Caso Fue Aprobado',
  status_description_es: 'El 12 de febrero de 2024 aprobamos su Formulario I-130.',
  status_code_pt: 'Caso aprovado',
  status_slug: 'case_was_approved',
  category: 'approved',
  modified_date: '2024-02-12T09:10:00.000Z',
  history: [
    {
      date: '2023-09-05',
      status_code: 'Case Was Received',
      status_code_es: 'Caso Fue Recibido',
      status_code_pt: 'Caso recebido',
    },
  ],
  timestamp: '2026-11-21T09:58:31.877Z',
};

const summary = {
  id: 1042,
  user_case_id: 'FLOW0001042',
  receipt_number: 'EAC9900000001',
  description: 'I-130 of the family',
  created_at: createdAt,
  last_checked: lastChecked,
  active: true,
  update_count: 1,
  latest_update: received,
  user_id: 317,
};

export const statusUpdate = { ...approved, observation: 2 };
export const newCase = { ...summary, version: 1 };
export const changedCase = { ...summary, description: 'I-130 of the Silva family', version: 2 };
export const approvedCase = {
  ...summary,
  last_checked: approved.timestamp,
  update_count: 2,
  latest_update: approved,
};
export const deletedCase = { id: 1042, user_case_id: 'FLOW0001042', user_id: 317, version: 3 };

export const monitoring = {
  state: 'not_found' as const,
  since: occurredAt,
  next_check_at: '2026-11-21T15:58:31.877Z',
  revision: 3,
};

export const newUser = {
  id: 317,
  email: 'ana.silva@example.com',
  name: 'Ana Silva',
  phone: '+12025551101',
  preferred_language: 'pt' as const,
  email_verified_at: null,
  notify_by_email: true,
  notify_by_whatsapp: false,
  status: 'active' as const,
  created_at: createdAt,
  updated_at: createdAt,
  version: 1,
};
export const changedUser = {
  ...newUser,
  email_verified_at: '2026-11-20T14:11:42.305Z',
  updated_at: '2026-11-20T14:11:42.305Z',
  version: 2,
};
export const deletedUser = { id: 317, version: 3 };

export const sentNotification = {
  status_update_id: 5211,
  case_id: 1042,
  user_id: 317,
  channel: 'email' as const,
  revision: 3,
  status: 'sent' as const,
  attempts: 1,
  last_error: null,
  sent_at: '2026-11-21T09:58:33.041Z',
};
export const failedNotification = {
  ...sentNotification,
  status: 'failed' as const,
  last_error: 'smtp_550: 5.1.1 the mailbox does not exist',
  sent_at: null,
};

export const finishedImport = {
  id: 21,
  state: 'done' as const,
  dry_run: false,
  rows: 2_000,
  waiting: 0,
  created: 1_991,
  updated: 0,
  unchanged: 2,
  refused: 7,
  created_at: createdAt,
  finished_at: occurredAt,
};

export const endpoint = {
  id: 12,
  url: 'https://hooks.example.com/casewatch',
  events: ['case.*' as const],
  description: 'Production',
  active: true,
  headers: [],
  rate_limit: 50,
  created_at: createdAt,
  updated_at: createdAt,
  last_delivery_at: null,
  last_status: null,
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
};
export const disabledEndpoint = {
  ...endpoint,
  active: false,
  updated_at: occurredAt,
  last_delivery_at: occurredAt,
  last_status: 410,
  failing_since: occurredAt,
  disabled_at: occurredAt,
  disabled_reason: 'gone',
};
