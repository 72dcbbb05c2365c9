import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { nextBatchTick } from '../domain/batch-tick.ts';
import { newAddressLinkMs, undoMs } from '../domain/email-change.ts';
import { toEmailLower, type User } from '../domain/user.ts';
import { takeRecipientLimit } from '../limits/mail-limits.ts';

/** Queues the mail with the undo link to the old address, in the caller's transaction; emit `undoMails` after the commit. */
export async function queueUndo(ctx: Context, before: User, tx: Session): Promise<void> {
  // An unverified address may be a typing mistake: its owner would get the account.
  if (before.email_verified_at === null) return;
  const now = ctx.clock.now();
  const row = {
    _id: ctx.newId(),
    user_id: before._id,
    old_email: before.email,
    old_verified_at: before.email_verified_at,
    undone_at: null,
    void_at: null,
    created_at: now,
    expires_at: new Date(now.getTime() + undoMs),
    delivery: await ctx.stores.emailChanges.mails.newDelivery(),
  };
  await ctx.stores.emailChanges.insert([row], tx);
}

/** Queues the two mails of a requested change and voids earlier links, in the caller's transaction. */
export async function queueChangeLinks(
  ctx: Context,
  { user, newEmail }: { user: User; newEmail: string },
  tx: Session,
): Promise<void> {
  const now = ctx.clock.now();
  const delivery = await ctx.stores.emailChangeLinks.mails.newDelivery(
    nextBatchTick(ctx.config.ADDRESS_BATCH_MS),
  );
  const linkTo = (side: 'present' | 'new', lifetimeMs: number) => ({
    _id: ctx.newId(),
    user_id: user._id,
    side,
    old_email: user.email,
    old_verified_at: user.email_verified_at ?? now,
    new_email: newEmail,
    proven_at: null,
    undone_at: null,
    void_at: null,
    created_at: now,
    expires_at: new Date(now.getTime() + lifetimeMs),
    delivery,
  });
  const freeAt = await takeRecipientLimit(ctx, toEmailLower(newEmail), tx);
  const toNew = linkTo('new', newAddressLinkMs);
  // Beyond the recipient limit, a login code can still verify the address.
  if (freeAt !== null) toNew.delivery = { ...delivery, status: 'skipped' };
  await ctx.stores.emailChangeLinks.voidAll(user._id, now, tx);
  // An unverified present address may belong to anyone: it cannot stop the change.
  const links = user.email_verified_at === null ? [toNew] : [toNew, linkTo('present', undoMs)];
  await ctx.stores.emailChangeLinks.insert(links, tx);
  ctx.signals.emit('changeMails');
}
