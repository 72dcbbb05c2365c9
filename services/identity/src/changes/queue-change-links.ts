import type { Session } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { undoMs } from '../domain/email-change.ts';
import { newAddressLinkMs } from '../domain/email-change-link.ts';
import { nextBatchTick } from '../domain/settlement.ts';
import { toEmailLower, type User } from '../domain/user.ts';
import { takeRecipientLimit } from '../limits/recipient-limits.ts';

/**
 * Queues the two mails of a change that a person asked for, in the caller's transaction; former ones are void. It is the same
 * work whether the new address is free or taken: that is looked up when the mail is made, at the next half second. A new address
 * that had too many mails lately gets none; a login code still proves it.
 */
export async function queueChangeLinks(
  ctx: Context,
  { user, newEmail }: { user: User; newEmail: string },
  tx: Session,
): Promise<void> {
  const now = ctx.clock.now();
  const provenAt = user.email_verified_at;
  const common = {
    user_id: user._id,
    old_email: user.email,
    // An address that was never proven may be anybody's: it stops nothing.
    old_verified_at: provenAt ?? now,
    new_email: newEmail,
    proven_at: null,
    undone_at: null,
    void_at: null,
    created_at: now,
  };
  const delivery = await ctx.stores.emailChangeLinks.mails.newDelivery(nextBatchTick);
  const linkTo = (side: 'present' | 'new', lifetimeMs: number) => ({
    ...common,
    _id: ctx.newId(),
    side,
    expires_at: new Date(now.getTime() + lifetimeMs),
    delivery,
  });
  const freeAt = await takeRecipientLimit(ctx, toEmailLower(newEmail), tx);
  const toNew = linkTo('new', newAddressLinkMs);
  if (freeAt !== null) toNew.delivery = { ...delivery, status: 'skipped' };
  await ctx.stores.emailChangeLinks.voidAll(user._id, now, tx);
  const links = provenAt === null ? [toNew] : [toNew, linkTo('present', undoMs)];
  await ctx.stores.emailChangeLinks.insert(links, tx);
}
