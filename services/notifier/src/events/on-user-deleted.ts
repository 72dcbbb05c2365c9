import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/**
 * Erases what is held for a user and cancels what waits. The tombstone comes first, so that what is being stored at
 * this moment is either seen here or sees it (on-status-updated.ts, opt-out.ts).
 */
export function onUserDeleted(ctx: Context): EventHandler<'user.deleted'> {
  return async ({ user_id }) => {
    await ctx.stores.tombstones.add(user_id, ctx.clock.now());
    const notifications = await ctx.stores.notifications.deleteOfUser(user_id);
    const mails = await ctx.stores.mails.deleteOfUser(user_id);
    const suppressions = await ctx.stores.suppressions.deleteOfUser(user_id);
    ctx.log.info({ user_id, notifications, mails, suppressions }, 'user erased');
  };
}
