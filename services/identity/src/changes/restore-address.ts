import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { EmailChange } from '../domain/email-change.ts';
import { isUnverified, toEmailLower, type User } from '../domain/user.ts';
import { changeUser, deleteLoginCodes, eraseUser } from './change-user.ts';
import { endSessionsOf } from './end-sessions.ts';

type Undo = { change: EmailChange; user: User };

/**
 * Restores the old address or stops a requested change, in the caller's transaction. All sessions end: the author of the
 * change may hold them. @throws AddressTakenError
 */
export async function restoreAddress(ctx: Context, tx: Session, { change, user }: Undo): Promise<User> {
  await releaseUnverifiedAddress(ctx, tx, { change, user });
  const set = {
    email: change.old_email,
    email_lower: toEmailLower(change.old_email),
    email_verified_at: change.old_verified_at,
    pending_email: null,
  };
  const changed = await changeUser(ctx, tx, { user, set });
  const now = ctx.clock.now();
  await ctx.stores.emailVerifications.voidAll(user._id, now, tx);
  await ctx.stores.verificationReminders.removeAll(user._id, tx);
  await deleteLoginCodes(ctx, tx, user.email_lower);
  await ctx.stores.emailChanges.markUndone(change, now, tx);
  await ctx.stores.emailChangeLinks.markUndone(change._id, user._id, now, tx);
  await endSessionsOf(ctx, tx, user._id);
  return changed;
}

/** Erases a direct user who signed up with the old address since and did not verify it. */
async function releaseUnverifiedAddress(ctx: Context, tx: Session, { change, user }: Undo): Promise<void> {
  if (user.partner_id !== null) return;
  const existing = await ctx.stores.users.findInTenant(null, toEmailLower(change.old_email), tx);
  if (!existing || existing._id === user._id || !isUnverified(existing)) return;
  await eraseUser(ctx, tx, existing);
}
