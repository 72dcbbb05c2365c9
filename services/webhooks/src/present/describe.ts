import type { CaseReply, PersonWith } from '@casewatch/contracts';

export function describeCase({ case: summary, user_id }: CaseReply) {
  return { ...summary, user_id };
}

/** A receiver drops stale events by the version. */
export function describeCaseVersion(reply: CaseReply) {
  return { ...describeCase(reply), version: reply.version };
}

/** What an event tells of a user, besides the id. */
export const shownOfUser = [
  'email',
  'name',
  'phone',
  'preferred_language',
  'email_verified_at',
  'notify_by_email',
  'notify_by_whatsapp',
  'status',
  'created_at',
  'updated_at',
  'version',
] as const;

export type ShownUser = PersonWith<(typeof shownOfUser)[number]>;

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
