import { toIso } from '@casewatch/contracts';
import type { RequestHandler } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import { queueVerification } from '../changes/queue-verification.ts';
import type { Context } from '../context.ts';
import { mayBeAskedToVerify, type User } from '../domain/user.ts';
import { tryLimits } from '../limits/take-limits.ts';

// Verification mails to the people of imports: at most 200 an hour for one partner (firm.md §6). Who is made beyond it, or without a
// mail, gets one when the partner says "send now". What is due is decided by the person's own row, in the transaction of the mail: a
// second command, or one in parallel, sends nobody a second mail.

const hour = { max: 200, windowMs: 60 * 60 * 1_000 };

/** How far the clocks of two services may be apart (ADR 0085), ms. */
const clocksDifferMs = 2_000;

/** People who are read together. */
const readTogether = 1_000;

/** Takes a place in the partner's hour; null if there is one, else when there is. */
export async function takeImportPlace(ctx: Context, partnerId: number, tx: Session): Promise<Date | null> {
  return await tryLimits(ctx, [{ name: 'import-verification', subject: String(partnerId), limit: hour }], tx);
}

/** Who of an import could be asked to verify the address, and who was not asked since it began. */
export function answerUnverified(ctx: Context): RequestHandler<'identity.unverified'> {
  return async ({ partner_id, user_ids, since }) => {
    const unsent: number[] = [];
    let unverified = 0;
    for (let at = 0; at < user_ids.length; at += readTogether) {
      const users = await ctx.stores.users.unverifiedOf(partner_id, user_ids.slice(at, at + readTogether));
      for (const user of users.filter(mayBeAskedToVerify)) {
        unverified += 1;
        if (isUnsent(user, since)) unsent.push(user._id);
      }
    }
    return { unverified, unsent };
  };
}

/** In one transaction: a command is done whole or not at all. Who had too many mails of anybody is left for the next time. */
export function answerSendVerifications(ctx: Context): RequestHandler<'identity.send_verifications'> {
  return async ({ partner_id, user_ids, since }) => {
    const answer = await transaction(ctx.db, async (tx) => {
      const now = ctx.clock.now();
      const users = await ctx.stores.users.unverifiedOf(partner_id, user_ids, tx);
      const due = users.filter((user) => mayBeAskedToVerify(user) && isUnsent(user, since));
      let sent = 0;
      for (const user of due) {
        const freeAt = await takeImportPlace(ctx, partner_id, tx);
        if (freeAt !== null) return { sent, left: due.length - sent, next_at: toIso(freeAt) };
        const { row } = await queueVerification(ctx, user, tx);
        if (!row) continue;
        await ctx.stores.users.recordVerificationMail(user._id, now, tx);
        sent += 1;
      }
      return { sent, left: due.length - sent, next_at: null };
    });
    if (answer.sent > 0) ctx.signals.emit('verificationMails');
    return answer;
  };
}

/** `since` is of the clock of cases. A mail of just before counts: else the clocks' difference would send a second one. */
function isUnsent({ verification_queued_at }: User, since: string): boolean {
  return (
    verification_queued_at === null || verification_queued_at.getTime() < Date.parse(since) - clocksDifferMs
  );
}
