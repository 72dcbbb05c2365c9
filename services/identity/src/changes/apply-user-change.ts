import type { Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { Decision } from '../domain/decide-user-change.ts';
import type { User } from '../domain/user.ts';
import { changeUser, deleteLoginCodes } from './change-user.ts';
import { endSessionsOf } from './end-sessions.ts';
import { queueChangeLinks } from './queue-change-links.ts';
import { queueUndo } from './queue-undo.ts';
import { queueVerification } from './queue-verification.ts';

export type AcceptedChange = Extract<Decision, { ok: true }>;

/** Why the change ends all sessions; null where it does not. */
export function sessionEndReason({
  address,
  becomesSuspended,
}: AcceptedChange): 'suspended' | 'address_changed' | null {
  if (becomesSuspended) return 'suspended';
  return address === 'changed' ? 'address_changed' : null;
}

/**
 * Writes what was decided, in the caller's transaction. A new address of a partner's user: links and codes of the old one are
 * void, a link to verify the new goes to it, one to undo the change to the old, sessions end. One that the person asked for only
 * gets its links. Suspended: all sessions end. Emit `verificationMails` and `undoMails` after the commit.
 */
export async function applyUserChange(
  ctx: Context,
  tx: Session,
  { before, decision }: { before: User; decision: AcceptedChange },
): Promise<User> {
  const { address } = decision;
  const after = await changeUser(ctx, tx, { user: before, set: decision.set });
  if (address === 'asked') {
    await queueChangeLinks(ctx, { user: after, newEmail: after.pending_email ?? '' }, tx);
  } else if (address !== 'same') {
    await ctx.stores.emailChangeLinks.voidAll(after._id, ctx.clock.now(), tx);
  }
  if (address === 'changed') {
    await ctx.stores.emailVerifications.voidAll(after._id, ctx.clock.now(), tx);
    await queueVerification(ctx, after, tx);
    await queueUndo(ctx, before, tx);
    await deleteLoginCodes(ctx, tx, before.email_lower);
  }
  if (sessionEndReason(decision) !== null) await endSessionsOf(ctx, tx, { userId: after._id });
  return after;
}
