import { toEmailLower, type User } from './user.ts';

/** A change of a proven address, which a link in a mail to the old one undoes. The token follows from the row. */
export type EmailChange = {
  readonly _id: string;
  readonly user_id: number;
  readonly old_email: string;
  /** When the old address had been proven: it is so again once the change is undone. */
  readonly old_verified_at: Date;
  readonly undone_at: Date | null;
  /** Set when an earlier change was undone, or the new address was proven. */
  readonly void_at: Date | null;
  readonly created_at: Date;
  readonly expires_at: Date;
};

/** How long the link holds, ms (interface.md §4, update user). */
export const undoMs = 7 * 24 * 60 * 60 * 1000;

/**
 * What the link can do to the user now: `undo` the change, find it `undone`, or nothing (`void`): too old, overtaken by
 * an undone earlier change or by the proof of the new address, or used before and the address changed once more since.
 */
export function judgeEmailChange(change: EmailChange, user: User, now: Date): 'undo' | 'undone' | 'void' {
  if (change.void_at !== null || change.expires_at <= now) return 'void';
  // The person who proved the present address since has it (interface.md §4, update user).
  const isOvertaken = user.email_verified_at !== null && user.email_verified_at > change.created_at;
  if (change.undone_at === null) return isOvertaken ? 'void' : 'undo';
  return user.email_lower === toEmailLower(change.old_email) ? 'undone' : 'void';
}
