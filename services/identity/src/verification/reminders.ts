import type { ArrivalMailRequest } from '@casewatch/contracts';
import type { Running } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { isOptedOut, isUnverified, type User } from '../domain/user.ts';
import { takeRecipientLimit } from '../limits/mail-limits.ts';
import { verificationMail } from '../loops/link-mails.ts';
import { startMailLoop } from '../loops/mail-loop.ts';
import type { EmailVerification } from '../store/email-links.ts';

// A client of a partner who has not confirmed the address is told nothing of the case. So the first mail that asks for it brings two
// reminders with it, and then there is none. Each is a row of the queue that is due after days by the database's clock: a crash, another
// replica or a jump of a clock neither loses nor doubles it. Whether it is still wanted is decided when it is due.

const dayMs = 24 * 60 * 60 * 1_000;
/** Days after the first mail. */
const reminderDays = [3, 10];
/** Lifetime of a link from the day when it is sent, ms. */
const linkMs = 2 * dayMs;

/**
 * Once for each address of a user, in the transaction of the mail. Not for a sign-up without a partner: somebody else may have typed the
 * address, and nobody vouches for it.
 */
export async function queueReminders(ctx: Context, user: User, tx: Session): Promise<void> {
  const { _id: user_id, email_lower, partner_id } = user;
  if (partner_id === null || (await ctx.stores.verificationReminders.hasAny(user_id, email_lower, tx)))
    return;
  const ofAddress = ctx.macs.mac('reminder-id', `${user_id}\0${email_lower}`).toString('hex').slice(0, 32);
  const now = await ctx.stores.verificationReminders.mails.newDelivery();
  const rows = reminderDays.map((days) => {
    const due = new Date(now.next_at.getTime() + days * dayMs);
    return {
      _id: `${ofAddress}-${days}`,
      user_id,
      email_lower,
      void_at: null,
      created_at: due,
      expires_at: new Date(due.getTime() + linkMs),
      delivery: { ...now, next_at: due },
    };
  });
  await ctx.stores.verificationReminders.insert(rows, tx);
}

export function sendVerificationReminders(ctx: Context): Running {
  return startMailLoop(ctx, {
    name: 'verification reminders',
    queue: ctx.stores.verificationReminders.mails,
    compose: (id) => compose(ctx, id),
    signal: 'verificationReminders',
  });
}

/** Null if nobody is to be reminded any more. The notifier leaves out an address that it may not write to. */
async function compose(ctx: Context, id: string): Promise<ArrivalMailRequest | null> {
  const { stores } = ctx;
  const row = await stores.verificationReminders.find(id);
  const user = row && (await stores.users.find(row.user_id));
  if (!row || !user || !(await isWanted(ctx, row, user))) return null;
  if (!(await isWithinRecipientLimit(ctx, row))) return null;
  return {
    kind: 'verify_reminder',
    message_id: `reminder-${id}`,
    ...(await verificationMail(ctx, row, user)),
  };
}

async function isWanted({ stores }: Context, row: EmailVerification, user: User): Promise<boolean> {
  if (row.void_at !== null || user.email_lower !== row.email_lower || !isUnverified(user)) return false;
  // Who gets no mails about cases need not confirm the address for them.
  if (user.status !== 'active' || !user.notify_by_email || isOptedOut(user.email_opt_out)) return false;
  const partner = user.partner_id === null ? null : await stores.partners.find(user.partner_id);
  // With `notify_unverified` the client gets them already; the mail would say that there are none.
  return partner?.status === 'active' && !partner.notify_unverified;
}

/** Counted once, also when sending is retried. */
async function isWithinRecipientLimit(
  ctx: Context,
  { _id, email_lower }: EmailVerification,
): Promise<boolean> {
  return await transaction(ctx.db, async (tx) => {
    const row = await ctx.stores.verificationReminders.find(_id, tx);
    if (row?.counted_at) return true;
    if (!row || (await takeRecipientLimit(ctx, email_lower, tx)) !== null) return false;
    await ctx.stores.verificationReminders.recordCounted(_id, ctx.clock.now(), tx);
    return true;
  });
}
