import type { EmailChange } from './email-change.ts';
import { toEmailLower, type User } from './user.ts';

/**
 * A link about a change of address that the person asked for. The `new` address proves itself by its link, and the change
 * takes effect. The `present` address can stop the change by its link until then. The tokens follow from the row.
 */
export type EmailChangeLink = EmailChange & {
  readonly side: 'present' | 'new';
  readonly new_email: string;
  /** When the new address was proven. */
  readonly proven_at: Date | null;
};

const hourMs = 60 * 60 * 1000;

/** How long the link to the new address holds, ms (interface.md §4, verify e-mail from link). */
export const newAddressLinkMs = 48 * hourMs;

/** What the link can do to the user now: be used (`use`), find that the change took effect (`used`), or nothing (`void`). */
export function judgeChangeLink(link: EmailChangeLink, user: User, now: Date): 'use' | 'used' | 'void' {
  const newLower = toEmailLower(link.new_email);
  if (link.proven_at !== null) return user.email_lower === newLower ? 'used' : 'void';
  const isAsked = toEmailLower(user.pending_email ?? '') === newLower;
  const isPresent = user.email_lower === toEmailLower(link.old_email);
  return link.void_at === null && link.expires_at > now && isAsked && isPresent ? 'use' : 'void';
}
