import type { Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { undoMs } from '../domain/email-change.ts';
import type { User } from '../domain/user.ts';

/**
 * Queues the mail to the old address, whose link undoes the change, in the caller's transaction; emit `undoMails` after
 * the commit. An address that was never proven gets none: it may be anybody's, by a slip of the hand, and the link would
 * hand the account to them.
 */
export async function queueUndo(ctx: Context, before: User, tx: Session): Promise<void> {
  if (before.email_verified_at === null) return;
  const now = ctx.clock.now();
  await ctx.stores.emailChanges.insert(
    {
      _id: ctx.newId(),
      user_id: before._id,
      old_email: before.email,
      old_verified_at: before.email_verified_at,
      undone_at: null,
      void_at: null,
      created_at: now,
      expires_at: new Date(now.getTime() + undoMs),
      delivery: await ctx.stores.emailChanges.mails.newDelivery(),
    },
    tx,
  );
}
