import type { ArrivalMailRequest } from '@casewatch/contracts';
import type { Running } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { mayBeAskedToVerify, type User } from '../domain/user.ts';
import { takeRecipientLimit } from '../limits/mail-limits.ts';
import { verificationMail } from '../loops/link-mails.ts';
import { startMailLoop } from '../loops/mail-loop.ts';
import type { EmailVerification } from '../store/email-links.ts';

// A client of a partner who has not confirmed the address is told nothing of the case. So the first mail that asks for it brings two
// reminders with it, also where it cannot be sent itself, and then there is none. Each is a row of the queue that is due after days by the database's clock: a crash, another
// replica or a jump of a clock neither loses nor doubles it. Whether it is still wanted is decided when it is due. While it cannot be
// sent it waits: the partner is suspended, the recipient has had enough mails, or the first reminder has only just been sent.

const dayMs = 24 * 60 * 60 * 1_000;
/** Days after the first mail. */
const reminderDays = { first: 3, second: 10 } as const;
/** The second comes no sooner after the first, whatever delayed it, ms. */
const apartMs = 3 * dayMs;
/** How often a reminder asks whether its partner is active again, ms. */
const suspendedMs = 60 * 60 * 1_000;
/** Lifetime of a link from the moment when it is sent, ms. */
const linkMs = 2 * dayMs;
/** How late a reminder may be because nobody could send it, ms. */
const lateMs = 30 * dayMs;

/**
 * Once for each address of a user, in the transaction of the mail, whether or not the recipient has had enough mails for it. Not for a sign-up without a partner: somebody else may have typed the
 * address, and nobody vouches for it.
 */
export async function queueReminders(ctx: Context, user: User, tx: Session): Promise<void> {
  const { _id: user_id, email_lower, partner_id } = user;
  if (partner_id === null || (await ctx.stores.verificationReminders.hasAny(user_id, email_lower, tx)))
    return;
  const ofAddress = ctx.macs.mac('reminder-id', `${user_id}\0${email_lower}`).toString('hex').slice(0, 32);
  const now = await ctx.stores.verificationReminders.mails.newDelivery();
  const rows = Object.entries(reminderDays).map(([which, days]) => {
    const due = new Date(now.next_at.getTime() + days * dayMs);
    return {
      _id: `${ofAddress}-${which}`,
      user_id,
      email_lower,
      void_at: null,
      created_at: due,
      expires_at: new Date(due.getTime() + lateMs),
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
async function compose(ctx: Context, id: string) {
  const { stores } = ctx;
  const row = await stores.verificationReminders.find(id);
  const user = row && (await stores.users.find(row.user_id));
  if (!row || !user || !isWanted(row, user) || user.partner_id === null) return null;
  const partner = await stores.partners.find(user.partner_id);
  // With `notify_unverified` the client gets the updates already; the mail would say that there are none.
  if (!partner || partner.notify_unverified) return null;
  if (partner.status === 'suspended') return { postponedByMs: suspendedMs };
  const postponedByMs = (await untilApartMs(ctx, id)) || (await takePlace(ctx, row));
  if (postponedByMs > 0) return { postponedByMs };
  // Its link has an end now.
  const ready = await stores.verificationReminders.find(id);
  if (!ready) return null;
  const mail: ArrivalMailRequest = {
    kind: 'verify_reminder',
    message_id: `reminder-${id}`,
    ...(await verificationMail(ctx, ready, user)),
  };
  return mail;
}

function isWanted(row: EmailVerification, user: User): boolean {
  return user.email_lower === row.email_lower && mayBeAskedToVerify(user);
}

/** How long the second reminder has to wait after the first, ms. Both are due where nobody could send the first in its time. */
async function untilApartMs({ stores, clock }: Context, id: string): Promise<number> {
  const first = await stores.verificationReminders.find(id.replace(/-second$/, '-first'));
  if (!first || first._id === id) return 0;
  if (first.delivery.status === 'queued') return apartMs;
  const sentAt = first.delivery.sent_at?.getTime() ?? 0;
  return Math.max(0, sentAt + apartMs - clock.now().getTime());
}

/**
 * Takes a place in the limit of mails to one recipient, once, also when sending is retried, and sets the end of the link.
 * @returns how long there is no place, ms
 */
async function takePlace(ctx: Context, { _id, email_lower }: EmailVerification): Promise<number> {
  return await transaction(ctx.db, async (tx) => {
    const [row, now] = [await ctx.stores.verificationReminders.find(_id, tx), ctx.clock.now()];
    if (!row) return 0;
    const freeAt = row.counted_at ? null : await takeRecipientLimit(ctx, email_lower, tx);
    if (freeAt !== null) return Math.max(1, freeAt.getTime() - now.getTime());
    const expires_at = new Date(now.getTime() + linkMs);
    await ctx.stores.verificationReminders.recordCounted(
      _id,
      { counted_at: row.counted_at ?? now, expires_at },
      tx,
    );
    return 0;
  });
}
