import type { EmailChange } from './email-change.ts';
import { toEmailLower, type User } from './user.ts';

/**
 * A link that confirms a change of address which the person asked for: one goes to the `present` address, one to the `new`
 * one. Both rows note both confirmations, so that two at the same moment conflict. The tokens follow from the row.
 */
export type EmailChangeLink = EmailChange & {
  readonly side: 'present' | 'new';
  readonly new_email: string;
  /** When the present address allowed the change; at once where it was never proven. */
  readonly allowed_at: Date | null;
  /** When the new address was proven. */
  readonly proven_at: Date | null;
};

const hourMs = 60 * 60 * 1000;

/** How long the link to the new address holds, ms (interface.md §4, verify e-mail from link). */
export const newAddressLinkMs = 48 * hourMs;

/** What the link can do to the user now: be used (`use`), find that it was (`used`), or nothing (`void`). */
export function judgeChangeLink(link: EmailChangeLink, user: User, now: Date): 'use' | 'used' | 'void' {
  const newLower = toEmailLower(link.new_email);
  const isUsed = usedAt(link) !== null;
  const hasTakenEffect = isUsed && user.email_lower === newLower;
  if (hasTakenEffect) return 'used';
  const isAsked = toEmailLower(user.pending_email ?? '') === newLower;
  const isPresent = user.email_lower === toEmailLower(link.old_email);
  if (link.void_at !== null || link.expires_at <= now || !isAsked || !isPresent) return 'void';
  return isUsed ? 'used' : 'use';
}

/** When this link was used; null: not yet. */
export function usedAt({ side, allowed_at, proven_at }: EmailChangeLink): Date | null {
  return side === 'present' ? allowed_at : proven_at;
}
