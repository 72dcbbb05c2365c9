import type { z } from 'zod';
import type { OperationName, Operations } from '../operations.ts';

type BodyExamples = {
  [N in OperationName]?: Operations[N] extends { readonly body: infer Schema extends z.ZodType }
    ? z.input<Schema>
    : never;
};

/** Bodies worth showing where "what is required" is not the usual one. Others are made from the schema. */
export const requestExamples: BodyExamples = {
  issue_token: { email: 'ana.silva@example.com', code: '402913' },
  update_user: { phone: '+12025550123', notify_by_whatsapp: true },
  update_partner_user: { name: 'Ana Silva', preferred_language: 'pt' },
  update_case: { active: false },
  update_webhook: { active: false },
  create_webhook: {
    url: 'https://hooks.example.com/casewatch',
    events: ['case.status_updated', 'case.deleted'],
  },
  create_partner_case: {
    receipt_number: 'EAC9999103403',
    description: 'I-130 of the Silva family',
    uscis_access_acknowledged: true,
  },
  twilio_callback: { MessageSid: 'SM00000000000000000000000000000001', MessageStatus: 'delivered' },
};
