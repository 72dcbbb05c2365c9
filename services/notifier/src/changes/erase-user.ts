import type { Erasure } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import { eraseNewsOfUser } from '../firm/erase-firm.ts';

/** Writes the tombstone first: a write that runs in parallel is erased here, or finds the tombstone afterwards. */
export async function eraseUser(ctx: Context, { user_id, erased_at }: Erasure): Promise<void> {
  await ctx.stores.tombstones.add(user_id, erased_at);
  const notifications = await ctx.stores.notifications.deleteOfUser(user_id);
  await ctx.stores.digests.deleteOfUser(user_id);
  await ctx.stores.recipients.deleteOfUser(user_id);
  await eraseNewsOfUser(ctx, user_id);
  const mails = await ctx.stores.mails.deleteOfUser(user_id);
  const suppressions = await ctx.stores.suppressions.deleteOfUser(user_id);
  ctx.log.info({ user_id, notifications, mails, suppressions }, 'user erased');
}
