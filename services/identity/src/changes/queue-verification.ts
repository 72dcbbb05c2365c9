import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { User } from '../domain/user.ts';
import { takeRecipientLimit } from '../limits/mail-limits.ts';
import { queueReminders } from '../verification/reminders.ts';
import type { EmailVerification } from '../store/email-links.ts';

/** Lifetime of a link, ms (interface.md §4). */
const linkMs = 48 * 60 * 60 * 1000;

/** The row of the mail; beyond the recipient limit no row, and `freeAt`: when the next mail is allowed. */
export type QueuedVerification = { row: EmailVerification; freeAt: null } | { row: null; freeAt: Date };

/** Queues a verification mail in the caller's transaction; emit `verificationMails` after the commit. */
export async function queueVerification(ctx: Context, user: User, tx: Session): Promise<QueuedVerification> {
  // Also where this mail cannot be sent: then the first reminder is the first mail.
  await queueReminders(ctx, user, tx);
  const freeAt = await takeRecipientLimit(ctx, user.email_lower, tx);
  if (freeAt !== null) return { row: null, freeAt };
  const now = ctx.clock.now();
  const row = {
    _id: ctx.newId(),
    user_id: user._id,
    email_lower: user.email_lower,
    void_at: null,
    created_at: now,
    expires_at: new Date(now.getTime() + linkMs),
    delivery: await ctx.stores.emailVerifications.mails.newDelivery(),
  };
  await ctx.stores.emailVerifications.insert([row], tx);
  return { row, freeAt: null };
}
