import type { Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { Decision } from '../domain/decide-user-change.ts';
import type { User } from '../domain/user.ts';
import { changeUser, forgetCodes } from './change-user.ts';
import { endSessionsOf } from './end-sessions.ts';
import { queueChangeLinks } from './queue-change-links.ts';
import { queueUndo } from './queue-undo.ts';
import { queueVerification } from './queue-verification.ts';

export type AcceptedChange = Extract<Decision, { ok: true }>;

/** Why the change ends all sessions; null where it does not. */
export function endOfSessions({
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
  session: Session,
  { before, decision }: { before: User; decision: AcceptedChange },
): Promise<User> {
  const { address } = decision;
  const after = await changeUser(ctx, session, { user: before, set: decision.set });
  if (address === 'asked') {
    await queueChangeLinks(ctx, { user: after, newEmail: after.pending_email ?? '' }, session);
  } else if (address !== 'same') {
    await ctx.stores.emailChangeLinks.voidAll(after._id, ctx.clock.now(), session);
  }
  if (address === 'changed') {
    await ctx.stores.emailVerifications.voidAll(after._id, ctx.clock.now(), session);
    await queueVerification(ctx, after, session);
    await queueUndo(ctx, before, session);
    await forgetCodes(ctx, session, before.email_lower);
  }
  if (endOfSessions(decision) !== null) await endSessionsOf(ctx, session, { userId: after._id });
  return after;
}
