import type { CaseReply } from '@casewatch/contracts';
import type { ShownUser } from '../clients/owners.ts';

export function describeCase({ case: summary, user_id }: CaseReply) {
  return { ...summary, user_id };
}

/** A receiver drops stale events by the version. */
export function describeCaseVersion(reply: CaseReply) {
  return { ...describeCase(reply), version: reply.version };
}

export function describeUserVersion(user: ShownUser) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    phone: user.phone,
    preferred_language: user.preferred_language,
    email_verified_at: user.email_verified_at,
    notify_by_email: user.notify_by_email,
    notify_by_whatsapp: user.notify_by_whatsapp,
    status: user.status,
    created_at: user.created_at,
    updated_at: user.updated_at,
    version: user.version,
  };
}
