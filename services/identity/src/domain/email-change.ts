import { toEmailLower, type User } from './user.ts';

/** A change of a verified address, which a link to the old address undoes. */
export type EmailChange = {
  readonly _id: string;
  readonly user_id: number;
  readonly old_email: string;
  readonly old_verified_at: Date;
  readonly undone_at: Date | null;
  /** Set when an earlier change was undone, or the new address was verified. */
  readonly void_at: Date | null;
  readonly created_at: Date;
  readonly expires_at: Date;
};

/** A link about a requested change: the `new` address confirms the change, the `present` address can stop it until then. */
export type EmailChangeLink = EmailChange & {
  readonly side: 'present' | 'new';
  readonly new_email: string;
  readonly proven_at: Date | null;
};

const hourMs = 60 * 60 * 1000;

/** Lifetime of a link to undo or stop a change, ms (interface.md §4, update user). */
export const undoMs = 7 * 24 * hourMs;

/** Lifetime of the link to the new address, ms (interface.md §4, verify e-mail from link). */
export const newAddressLinkMs = 48 * hourMs;

/** What a link to undo a change does now: `undo` the change, report it `undone`, or nothing (`void`). */
export function judgeEmailChange(change: EmailChange, user: User, now: Date): 'undo' | 'undone' | 'void' {
  if (change.void_at !== null || change.expires_at <= now) return 'void';
  // The present address was verified since: it belongs to that person (interface.md §4, update user).
  const isSuperseded = user.email_verified_at !== null && user.email_verified_at > change.created_at;
  if (change.undone_at === null) return isSuperseded ? 'void' : 'undo';
  return user.email_lower === toEmailLower(change.old_email) ? 'undone' : 'void';
}

/** What a confirmation link does now: `use` it, report that it was `used`, or nothing (`void`). */
export function judgeChangeLink(link: EmailChangeLink, user: User, now: Date): 'use' | 'used' | 'void' {
  const newLower = toEmailLower(link.new_email);
  if (link.proven_at !== null) return user.email_lower === newLower ? 'used' : 'void';
  const isPending = toEmailLower(user.pending_email ?? '') === newLower;
  const isPresent = user.email_lower === toEmailLower(link.old_email);
  return link.void_at === null && link.expires_at > now && isPending && isPresent ? 'use' : 'void';
}
