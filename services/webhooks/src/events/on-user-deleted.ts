import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { takeIn } from './take-in.ts';

/**
 * `user.deleted`: erases what is held, then tells the partner. The tombstone goes first: whatever is stored after it
 * looks for it again once it is stored (take-in.ts), so nothing slips between.
 */
export function onUserDeleted(ctx: Context): EventHandler<'user.deleted'> {
  return async ({ user_id: userId, partner_id: partnerId, version }, bus) => {
    await ctx.stores.erasedUsers.add(userId, ctx.clock.now());
    await ctx.stores.deliveries.eraseUser(userId);
    await ctx.stores.events.eraseUser(userId);
    await takeIn(ctx, {
      type: 'user.deleted',
      partnerId,
      userId,
      bus,
      describe: async () => ({ user: { id: userId, version } }),
    });
  };
}
