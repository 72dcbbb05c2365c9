import type { Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { User } from '../domain/user.ts';
import type { EmailVerification } from '../store/email-verifications.ts';
import { newDelivery } from '../store/mail-queue.ts';

/** How long a link holds, ms (interface.md §4). */
const linkMs = 48 * 60 * 60 * 1000;

/** Queues a verification mail, in the caller's transaction; wake the loop after the commit. */
export async function queueVerification(
  ctx: Pick<Context, 'clock' | 'newId' | 'stores'>,
  user: User,
  session: Session,
): Promise<EmailVerification> {
  const now = ctx.clock.now();
  const row = {
    _id: ctx.newId(),
    user_id: user._id,
    email_lower: user.email_lower,
    void_at: null,
    created_at: now,
    expires_at: new Date(now.getTime() + linkMs),
    delivery: newDelivery('queued', now),
  };
  await ctx.stores.emailVerifications.insert(row, session);
  return row;
}
