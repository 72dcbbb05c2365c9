import type { StatusUpdated } from '@casewatch/contracts';
import { localSettings, newPrincipalKey } from '../kit/service-settings.ts';

/** Each update is of another user and case. */
export function anUpdate(id: number): StatusUpdated {
  return {
    case: {
      id,
      user_case_id: `BENCH${id}`,
      receipt_number: 'EAC9999106789',
      user_id: id,
      partner_id: null,
    },
    status_update: {
      id,
      kind: 'status',
      changes: [],
      touched_at: null,
      observation: 2,
      timestamp: new Date().toISOString(),
      status_code: 'Case Was Received',
      status_description: 'On November 20, 2026, we received your Form I-765.',
      form_type: 'I-765',
      status_code_es: null,
      status_description_es: null,
      status_code_pt: null,
      status_description_pt: null,
      status_slug: 'case_was_received',
      category: 'received',
      submitted_date: null,
      modified_date: null,
      history: [],
    },
    title_modified_date: null,
    skip_reason: null,
    previous_status_code: null,
    new_history: [],
  };
}

export function environment({ smtpUrl, mongoUrl }: { smtpUrl: string; mongoUrl: string }) {
  return {
    ...localSettings,
    MONGODB_URL: mongoUrl,
    PRINCIPAL_JWKS: newPrincipalKey().PRINCIPAL_JWKS,
    PUBLIC_URL: 'http://127.0.0.1:1',
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'no-reply@casewatch.example',
    NOTIFIER_ENCRYPTION_KEY: 'encryption-key-of-a-bench-long-enough',
    NOTIFIER_HMAC_KEY: 'hmac-key-of-a-bench-long-enough-to-be-taken',
  };
}
