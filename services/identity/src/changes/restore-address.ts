import type { Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { EmailChange } from '../domain/email-change.ts';
import { isUnproven, toEmailLower, type User } from '../domain/user.ts';
import { changeUser, eraseUser, forgetCodes } from './change-user.ts';
import { endSessionsOf } from './end-sessions.ts';

type Undo = { change: EmailChange; user: User };

/**
 * Restores the old address, as proven as it was, or stops a change that was only asked for, in the caller's transaction. All
 * sessions end, since the person who made the change may hold them.
 * @throws AddressTakenError where somebody else has the address by now
 */
export async function restoreAddress(ctx: Context, session: Session, { change, user }: Undo): Promise<User> {
  await clearTheWay(ctx, session, { change, user });
  const set = {
    email: change.old_email,
    email_lower: toEmailLower(change.old_email),
    email_verified_at: change.old_verified_at,
    pending_email: null,
  };
  const restored = await changeUser(ctx, session, { user, set });
  const now = ctx.clock.now();
  await ctx.stores.emailVerifications.voidAll(user._id, now, session);
  await forgetCodes(ctx, session, user.email_lower);
  await ctx.stores.emailChanges.markUndone(change, now, session);
  await ctx.stores.emailChangeLinks.markUndone(change._id, user._id, now, session);
  await endSessionsOf(ctx, session, { userId: user._id });
  return restored;
}

/** Anybody can sign up with the address meanwhile; as long as they have not proven it, that does not keep its owner out. */
async function clearTheWay(ctx: Context, session: Session, { change, user }: Undo): Promise<void> {
  if (user.partner_id !== null) return;
  const other = await ctx.stores.users.ofTenant(null, toEmailLower(change.old_email), session);
  if (!other || other._id === user._id || !isUnproven(other)) return;
  await eraseUser(ctx, session, other);
}
