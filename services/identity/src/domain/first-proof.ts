import { nameFromEmail, type User } from './user.ts';

/**
 * What changes when somebody first proves the present address. What stood in a direct user before may be another person's
 * typing, so it goes (interface.md §4, update user). A partner answers for what it keeps of its client, so that stays.
 */
export function firstVerification(user: User, now: Date): Partial<User> {
  const proven = { email_verified_at: now, pending_email: null };
  if (user.partner_id !== null) return proven;
  return {
    ...proven,
    name: nameFromEmail(user.email),
    phone: null,
    notify_by_whatsapp: false,
    whatsapp_consent: null,
  };
}
