import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { Decision } from '../domain/decide-user-change.ts';
import type { User } from '../domain/user.ts';
import { changeUser, deleteLoginCodes } from './change-user.ts';
import { endSessionsOf } from './end-sessions.ts';
import { queueChangeLinks, queueUndo } from './queue-change-mails.ts';
import { queueVerification } from './queue-verification.ts';

export type AcceptedChange = Extract<Decision, { ok: true }>;

export function sessionEndReason(change: AcceptedChange): 'suspended' | 'address_changed' | null {
  if (change.becomesSuspended) return 'suspended';
  return change.address === 'changed' ? 'address_changed' : null;
}

/** Writes a decided change with its mails in the caller's transaction; emit `verificationMails` and `undoMails` after it. */
export async function applyUserChange(
  ctx: Context,
  tx: Session,
  { before, decision }: { before: User; decision: AcceptedChange },
): Promise<User> {
  const { address, set } = decision;
  const now = ctx.clock.now();
  const after = await changeUser(ctx, tx, { user: before, set });
  if (address === 'requested') {
    await queueChangeLinks(ctx, { user: after, newEmail: after.pending_email ?? '' }, tx);
  } else if (address !== 'same') {
    await ctx.stores.emailChangeLinks.voidAll(after._id, now, tx);
  }
  if (address === 'changed') {
    await ctx.stores.emailVerifications.voidAll(after._id, now, tx);
    await ctx.stores.verificationReminders.removeAll(after._id, tx);
    await queueVerification(ctx, after, tx);
    await queueUndo(ctx, before, tx);
    await deleteLoginCodes(ctx, tx, before.email_lower);
  }
  if (sessionEndReason(decision) !== null) await endSessionsOf(ctx, tx, after._id);
  return after;
}
