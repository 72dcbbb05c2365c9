import type { UserReply } from '@casewatch/contracts';

export const user: UserReply = {
  id: 7,
  partner_id: 1,
  partner_name: 'Demo',
  partner_logo_url: null,
  email: 'a@example.com',
  name: 'A',
  phone: null,
  status: 'active',
  preferred_language: 'en',
  notify_by_email: true,
  notify_by_whatsapp: false,
  whatsapp_consent_at: null,
  email_verified_at: null,
  version: 1,
  created_at: '2026-11-21T10:00:00.000Z',
  updated_at: '2026-11-21T10:00:00.000Z',
};
